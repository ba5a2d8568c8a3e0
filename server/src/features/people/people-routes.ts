import { type RequestHandler, Router } from "express";
import { settingsSchema } from "../../contract/index.ts";
import { requireUser, userOf } from "../../http/authenticate.ts";
import { jsonBody } from "../../http/json-body.ts";
import { parseInput } from "../../http/parse-input.ts";
import { type MeDeps, readMe } from "./read-me.ts";
import { unsubscribeRoutes } from "./unsubscribe-routes.ts";

/** The caller themselves: who they are, what they chose, and the link of their e-mails that ends them. */
export function peopleRoutes({ now, ...me }: MeDeps & { now: () => Date }): RequestHandler {
  const router = Router();

  router.get("/me", requireUser, async (_request, response) => {
    response.json(await readMe(me, userOf(response)));
  });

  router.patch("/me", requireUser, jsonBody, async (request, response) => {
    const { emailNotices } = parseInput(settingsSchema, request.body, "body");
    await me.store.setEmailNotices(userOf(response), emailNotices, now());
    response.json(await readMe(me, userOf(response)));
  });

  router.use(unsubscribeRoutes(me.store));
  return router;
}
