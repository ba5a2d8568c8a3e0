import { type RequestHandler, Router } from "express";
import type { Health } from "../contract/index.ts";

const PATIENCE_MS = 2_000;

/**
 * `GET /health`: 200 while the database answers, 503 otherwise, in about two seconds at most.
 * @param ping resolves if the database answers.
 */
export function healthRoutes(ping: () => Promise<void>): RequestHandler {
  return Router().get("/health", async (_request, response) => {
    const health: Health = (await answers(ping))
      ? { status: "ok", database: "up" }
      : { status: "degraded", database: "down" };
    response
      .status(health.database === "up" ? 200 : 503)
      .set("Cache-Control", "no-store")
      .json(health);
  });
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
