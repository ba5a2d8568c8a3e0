import { once } from "node:events";
import { basename } from "node:path";
import { forkChild } from "../lib/child.ts";
import { type Closer, withCloser } from "../lib/closer.ts";
import { CLIENT, SERVER } from "../lib/paths.ts";
import { binOf } from "../lib/run.ts";
import { UserError } from "../lib/user-error.ts";
import { claimSettings, requirePort, startServices } from "./embedded.ts";

const VITE_PORT = 5173;

/** `npm run dev`: the API restarts on changes, the web app reloads in the browser. */
export async function main(): Promise<void> {
  process.stdout.write("\n  Tasklane, development\n\n");
  await withCloser(start, { stays: true });
}

async function start(closer: Closer): Promise<void> {
  const settings = await claimSettings("npm run dev", closer);
  await requirePort(VITE_PORT, "stop the other Vite: the web app of `npm run dev` is always on 5173.");
  const { mongoUri, emulator } = await startServices(settings, closer);
  closer.signal.throwIfAborted();

  const apiUrl = `http://localhost:${settings.port}`;
  const webUrl = `http://localhost:${VITE_PORT}`;
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    NODE_ENV: "development",
    PORT: String(settings.port),
    MONGODB_URI: mongoUri,
    FIREBASE_PROJECT_ID: settings.projectId,
    CORS_ORIGIN: process.env["CORS_ORIGIN"] || webUrl,
    // Vite serves the web app.
    WEB_ROOT: "",
    VITE_API_URL: apiUrl,
  };
  delete env["FIREBASE_AUTH_EMULATOR_HOST"];
  if (emulator) env["FIREBASE_AUTH_EMULATOR_HOST"] = emulator.host;
  startChild(closer, SERVER, [binOf(SERVER, "tsx"), "watch", "--clear-screen=false", "src/main.ts"], env);
  startChild(closer, CLIENT, [binOf(CLIENT, "vite"), "--clearScreen", "false"], env);
  process.stdout.write(`\n  Web app:  ${webUrl}\n  API:      ${apiUrl}\n\n  Press Ctrl-C to stop.\n\n`);
}

function startChild(
  closer: Closer,
  cwd: string,
  [script = "", ...args]: string[],
  env: NodeJS.ProcessEnv,
): void {
  const running = forkChild(script, args, closer, {
    cwd,
    env,
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  // Neither process is of use without the other.
  void once(running, "exit").then(() => closer.fail(new UserError(`${basename(script)} ended, see above.`)));
}
