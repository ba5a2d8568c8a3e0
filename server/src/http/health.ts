import { type RequestHandler, Router } from "express";
import type { Health, Readiness } from "../contract/index.ts";

const PATIENCE_MS = 2_000;

/**
 * `GET /health`: the process lives; nothing else is asked, so that no supervisor restarts instances because their database
 * is away. `GET /ready`: 200 while requests can be served (the database has a primary that answers), 503 otherwise, in
 * about two seconds at most, and from the first moment of stopping on. The server listens only after collections, rules
 * and unique indexes are there, so that is no part of the question.
 * @param options.ping resolves if the database can be written to.
 * @param options.isStopping true once this process is on its way out.
 */
export function healthRoutes({
  ping,
  isStopping,
}: {
  ping: () => Promise<void>;
  isStopping: () => boolean;
}): RequestHandler {
  const router = Router();
  // Nobody is limited here, so many who ask at once ask the database once.
  let asking: Promise<boolean> | undefined;
  const databaseIsUp = () => {
    asking ??= answers(ping).finally(() => {
      asking = undefined;
    });
    return asking;
  };

  router.get("/health", (_request, response) => {
    const health: Health = { status: "ok" };
    response.set("Cache-Control", "no-store").json(health);
  });

  router.get("/ready", async (_request, response) => {
    const up = await databaseIsUp();
    const status = isStopping() ? "stopping" : up ? "ready" : "not-ready";
    const readiness: Readiness = { status, database: up ? "up" : "down" };
    response.status(status === "ready" ? 200 : 503).set("Cache-Control", "no-store");
    if (status !== "ready") response.set("Retry-After", "2");
    response.json(readiness);
  });

  return router;
}

async function answers(ping: () => Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS, false);
  });
  const answer = ping().then(
    () => true,
    () => false,
  );
  const up = await Promise.race([answer, patience]);
  clearTimeout(timer);
  return up;
}
