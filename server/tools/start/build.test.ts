import { expect, test } from "vitest";
import { requireFirebaseProject } from "./build.ts";

test("When a production build has no Firebase project, then it fails and names what is missing", () => {
  expect(() => requireFirebaseProject({})).toThrow(
    /^VITE_FIREBASE_API_KEY and VITE_FIREBASE_PROJECT_ID are not set/,
  );
  // A Dockerfile ARG without a value is an empty string.
  const half = { VITE_FIREBASE_API_KEY: "key", VITE_FIREBASE_PROJECT_ID: "" };
  expect(() => requireFirebaseProject(half)).toThrow(/^VITE_FIREBASE_PROJECT_ID is not set.*--emulator/s);
});

test("When the project is configured, then the build goes ahead", () => {
  requireFirebaseProject({ VITE_FIREBASE_API_KEY: "key", VITE_FIREBASE_PROJECT_ID: "tasklane-prod" });
});
