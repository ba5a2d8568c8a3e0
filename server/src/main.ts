import { fileURLToPath } from "node:url";
import dotenv from "dotenv";
import { ConfigError, loadConfig } from "./config.ts";
import { ListenError } from "./http/listen.ts";
import { type RunningServer, serve } from "./serve.ts";

// The repository's .env, wherever the process was started, and one in the folder it was started from.
const envFiles = [fileURLToPath(new URL("../../.env", import.meta.url)), ".env"];
dotenv.config({ path: envFiles, quiet: true });

/** Stopping that hangs is ended after this, short of the ten seconds that supervisors allow. */
const MOST_STOPPING_MS = 9_500;

try {
  const server = await serve(loadConfig(process.env));
  process.stdout.write(`Tasklane listens on ${server.url}\n`);
  stopOnSignal(server);
  outliveBugs(server);
} catch (error) {
  process.stderr.write(`${readable(error)}\n`);
  process.exit(1);
}

function stopOnSignal(server: RunningServer): void {
  const stop = () => stopWith(server, 0);
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
}

function stopWith(server: RunningServer, code: number): void {
  setTimeout(() => process.exit(1), MOST_STOPPING_MS).unref();
  server.close().then(
    () => process.exit(code),
    (error) => {
      process.stderr.write(`${readable(error)}\n`);
      process.exit(1);
    },
  );
}

/**
 * A bug in a request is answered and logged by the problem handler. What throws outside of one is logged, too: a promise
 * that nobody waited for leaves nothing behind, so the process goes on; an exception that nobody caught may have left
 * something half done, so requests in flight are answered and the supervisor starts a new process.
 */
function outliveBugs(server: RunningServer): void {
  process.on("unhandledRejection", (reason) => server.log.error({ err: reason }, "a promise failed unheard"));
  process.once("uncaughtException", (error) => {
    server.log.fatal({ err: error }, "an exception was not caught, stopping");
    stopWith(server, 1);
  });
}

/** What a person can act on stands alone; anything else keeps its stack. */
function readable(error: unknown): string {
  if (error instanceof ConfigError || error instanceof ListenError) return error.message;
  if (!(error instanceof Error)) return String(error);
  if (error.name === "MongoServerSelectionError") return `The database does not answer: ${error.message}`;
  return error.stack ?? error.message;
}
