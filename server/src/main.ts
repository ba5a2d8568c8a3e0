import { fileURLToPath } from "node:url";
import dotenv from "dotenv";
import { ConfigError, loadConfig } from "./config.ts";
import { ListenError } from "./http/listen.ts";
import { type RunningServer, serve } from "./serve.ts";

// The repository's .env, wherever the process was started, and one in the folder it was started from.
const envFiles = [fileURLToPath(new URL("../../.env", import.meta.url)), ".env"];
dotenv.config({ path: envFiles, quiet: true });

try {
  const server = await serve(loadConfig(process.env));
  process.stdout.write(`Tasklane listens on ${server.url}\n`);
  stopOnSignal(server);
} catch (error) {
  process.stderr.write(`${readable(error)}\n`);
  process.exit(1);
}

function stopOnSignal(server: RunningServer): void {
  const stop = () => {
    server.close().then(
      () => process.exit(0),
      (error) => {
        process.stderr.write(`${readable(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
}

/** What a person can act on stands alone; anything else keeps its stack. */
function readable(error: unknown): string {
  if (error instanceof ConfigError || error instanceof ListenError) return error.message;
  if (!(error instanceof Error)) return String(error);
  if (error.name === "MongoServerSelectionError") return `The database does not answer: ${error.message}`;
  return error.stack ?? error.message;
}
