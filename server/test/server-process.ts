import { spawn } from "node:child_process";
import { join } from "node:path";
import { SERVER } from "../tools/lib/paths.ts";
import { productEnv } from "../tools/lib/product-env.ts";

/** The server as it is built: from its sources, a process would compile for seconds before it does anything. */
export const BUILT_SERVER = join(SERVER, "dist/main.js");

export type ServerProcess = Awaited<ReturnType<typeof startServer>>;

/** Starts a built server as a process of its own, on a free port. @returns it as soon as it listens. */
export async function startServer(
  settings: Record<string, string>,
  { program = BUILT_SERVER, preload = [] as string[], cwd = SERVER } = {},
) {
  const env = productEnv({ ...settings, PORT: "0" });
  const child = spawn(process.execPath, [...preload, program], { cwd, env });
  let output = "";
  const url = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => {
        output += chunk;
        const listening = /listens on (http:\S+)/.exec(output);
        if (listening?.[1]) resolve(listening[1]);
      });
    child.once("close", () => reject(new Error(output)));
  });
  return { child, url, output: () => output };
}
