import { readSettings } from "../lib/settings.ts";
import { step } from "../lib/steps.ts";
import { UserError } from "../lib/user-error.ts";
import { buildClient, buildServer } from "./build-product.ts";

/** `npm run build`: writes server/dist and client/dist, ready for production; `--emulator` builds for the Auth emulator. */
export async function main(args: string[]): Promise<void> {
  // The .env file may hold VITE_* variables.
  readSettings();
  if (!args.includes("--emulator")) requireFirebaseProject(process.env);
  await step("Server", async ({ detail }) => detail(`server/dist, ${await buildServer()}`));
  await step("Web app", async ({ detail }) => detail(`client/dist, ${await buildClient(process.env)}`));
}

const REQUIRED_VARIABLES = ["VITE_FIREBASE_API_KEY", "VITE_FIREBASE_PROJECT_ID"];

/** @throws {UserError} without a Firebase project: the web app would use the Auth emulator, which production refuses. */
export function requireFirebaseProject(env: NodeJS.ProcessEnv): void {
  const missing = REQUIRED_VARIABLES.filter((name) => !env[name]?.trim());
  if (missing.length === 0) return;
  throw new UserError(
    `${missing.join(" and ")} ${missing.length === 1 ? "is" : "are"} not set: nobody could log in to this web app in production.\n` +
      "Take the values of your Firebase project (see .env.example and server/deploy/DEPLOY.md), or build for the\n" +
      "Auth emulator on purpose: npm run build -- --emulator",
  );
}
