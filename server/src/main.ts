import { fileURLToPath } from "node:url";
import dotenv from "dotenv";
import { ConfigError, loadConfig } from "./config.ts";
import { ListenError } from "./http/listen.ts";
import { type RunningServer, serve } from "./serve.ts";

// The repository's .env, wherever the process was started, and the one in the working directory.
const envFiles = [fileURLToPath(new URL("../../.env", import.meta.url)), ".env"];
dotenv.config({ path: envFiles, quiet: true });

/** A shutdown that hangs is aborted after this, just within the ten seconds that supervisors allow. */
const MAX_SHUTDOWN_MS = 9_500;

try {
  const server = await serve(loadConfig(process.env));
  process.stdout.write(`Tasklane listens on ${server.url}\n`);
  stopOnSignal(server);
  installCrashHandlers(server);
} catch (error) {
  process.stderr.write(`${describeFailure(error)}\n`);
  process.exit(1);
}

function stopOnSignal(server: RunningServer): void {
  let isStopping = false;
  const stop = () => {
    // Under npm, one Ctrl-C may come twice; the time to stop is limited anyway.
    if (!isStopping) stopWith(server, 0);
    isStopping = true;
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}

function stopWith(server: RunningServer, code: number): void {
  setTimeout(() => process.exit(1), MAX_SHUTDOWN_MS).unref();
  server.close().then(
    () => process.exit(code),
    (error) => {
      process.stderr.write(`${describeFailure(error)}\n`);
      process.exit(1);
    },
  );
}

/**
 * For bugs outside of requests. After an unhandled rejection the process goes on. An uncaught exception may have left
 * something half done, so the process finishes its requests and exits, and the supervisor starts a new one.
 */
function installCrashHandlers(server: RunningServer): void {
  process.on("unhandledRejection", (reason) => server.log.error({ err: reason }, "unhandled rejection"));
  process.once("uncaughtException", (error) => {
    server.log.fatal({ err: error }, "uncaught exception, stopping");
    stopWith(server, 1);
  });
}

/** The message alone for errors that the operator can fix; everything else keeps its stack. */
function describeFailure(error: unknown): string {
  if (error instanceof ConfigError || error instanceof ListenError) return error.message;
  if (!(error instanceof Error)) return String(error);
  if (error.name === "MongoServerSelectionError") return `The database does not respond: ${error.message}`;
  return error.stack ?? error.message;
}
