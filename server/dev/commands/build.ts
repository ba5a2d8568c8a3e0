import { buildClient, buildServer } from "../build/build-product.ts";
import { requireFirebaseProject } from "../build/firebase-project.ts";
import { readSettings } from "../lib/settings.ts";
import { step } from "../lib/steps.ts";

/** `npm run build`: server/dist and client/dist, compressed, ready for production; `--emulator` for the Auth emulator. */
export async function main(args: string[]): Promise<void> {
  // The .env file may hold VITE_* variables.
  readSettings();
  if (!args.includes("--emulator")) requireFirebaseProject(process.env);
  await step("Server", async ({ detail }) => detail(`server/dist, ${await buildServer()}`));
  await step("Web app", async ({ detail }) => detail(`client/dist, ${await buildClient(process.env)}`));
}
