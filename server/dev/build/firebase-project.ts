import { UserError } from "../lib/user-error.ts";

const VARIABLES = ["VITE_FIREBASE_API_KEY", "VITE_FIREBASE_PROJECT_ID"];

/**
 * Holds a production build to a Firebase project of its own.
 * @throws {UserError} without one: the web app would sign in at the Auth emulator, which production refuses.
 */
export function requireFirebaseProject(env: NodeJS.ProcessEnv): void {
  const missing = VARIABLES.filter((name) => !env[name]?.trim());
  if (missing.length === 0) return;
  throw new UserError(
    `${missing.join(" and ")} ${missing.length === 1 ? "is" : "are"} not set: nobody could log in to this web app in production.\n` +
      "Take the values of your Firebase project (see .env.example and server/deploy/DEPLOY.md), or build for the\n" +
      "Auth emulator on purpose: npm run build -- --emulator",
  );
}
