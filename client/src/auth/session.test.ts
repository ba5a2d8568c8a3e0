import { expect, it } from "vitest";
import { aPerson } from "../testing/builders.ts";
import { createFakeFirebase } from "../testing/fake-firebase.ts";
import type { Person } from "./person.ts";
import { createSession } from "./session.tsx";

it.each(["refreshUser", "updateUser"] as const)(
  "When somebody logs out while %s is pending, then its response does not sign them in again",
  async (call) => {
    const firebase = createFakeFirebase(aPerson());
    let respond = (_: Person) => {};
    firebase[call] = () =>
      new Promise((resolve) => {
        respond = resolve;
      });
    const session = createSession(async () => firebase);
    await session.ready();
    const pending = session[call]({ displayName: "Fay", photoURL: null });
    await session.signOut();
    respond(aPerson({ displayName: "Fay" }));
    expect((await pending).displayName).toBe("Fay");
    expect(session.getState()).toMatchObject({ user: null, loading: false });
  },
);
