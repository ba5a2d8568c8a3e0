import { expect, it } from "vitest";
import { createSession } from "../auth/session.ts";
import { createFakeApi } from "../testing/fake-api.ts";
import { createFakeAuthGateway } from "../testing/fake-auth-gateway.ts";
import { createRouter, createServices } from "./router.tsx";

/** The key of the entry that the app starts at, as after opening or reloading a page. */
function keyAtStart(): string {
  const api = createFakeApi(() => ({ data: [] }));
  const router = createRouter(
    createServices({ api, session: createSession(async () => createFakeAuthGateway()) }),
  );
  const { key } = router.state.location;
  router.dispose();
  return key;
}

it("When pages are opened one after the other in a tab, then each has its own history key, also after a reload", () => {
  history.pushState(null, "", "/browsetask");
  const browse = keyAtStart();
  expect(keyAtStart()).toBe(browse);
  history.pushState(null, "", "/about");
  expect(keyAtStart()).not.toBe(browse);
});
