import { expect, it } from "vitest";
import { createSession } from "../auth/session.tsx";
import { createFakeApi } from "../testing/fake-api.ts";
import { createFakeFirebase } from "../testing/fake-firebase.ts";
import { createRouter, createServices } from "./app.tsx";

/** The history key with which the app starts, after a page is opened or reloaded. */
function initialKey(): string {
  const api = createFakeApi(() => ({ data: [] }));
  const router = createRouter(
    createServices({ api, session: createSession(async () => createFakeFirebase()) }),
  );
  const { key } = router.state.location;
  router.dispose();
  return key;
}

it("When pages are opened one after the other in a tab, then each has its own history key, even after a reload", () => {
  history.pushState(null, "", "/browsetask");
  const browse = initialKey();
  expect(initialKey()).toBe(browse);
  history.pushState(null, "", "/about");
  expect(initialKey()).not.toBe(browse);
});
