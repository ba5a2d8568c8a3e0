import { spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SERVER } from "../dev/lib/paths.ts";
import { freePort } from "../dev/lib/ports.ts";
import { median } from "./figures.ts";
import type { Filled } from "./fill.ts";

const STARTS = 3;
const LIMIT_MS = 30_000;

/** Milliseconds from starting the built server, as a production does, to its first page; the median of a few starts. */
export async function startTime({ uri, dbName }: Filled): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < STARTS; turn++) times.push(await oneStart(withDatabase(uri, dbName)));
  return median(times);
}

async function oneStart(mongoUri: string): Promise<number> {
  const port = await freePort();
  const { FIREBASE_AUTH_EMULATOR_HOST: _, ...inherited } = process.env;
  const env = {
    ...inherited,
    NODE_ENV: "production",
    LOG_LEVEL: "warn",
    HOST: "127.0.0.1",
    PORT: String(port),
    MONGODB_URI: mongoUri,
    FIREBASE_PROJECT_ID: "demo-tasklane",
    FIREBASE_AUTH_EMULATOR_HOST: "",
  };
  const started = performance.now();
  const child = spawn(process.execPath, [join(SERVER, "dist", "main.js")], { env, stdio: "ignore" });
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  const gone = new Promise((resolve) => child.once("exit", resolve));
  try {
    while (performance.now() - started < LIMIT_MS) {
      const answer = await fetch(`http://127.0.0.1:${port}/tasks?limit=24`).catch(() => undefined);
      if (answer?.ok && (await answer.text()) !== "") return performance.now() - started;
      await sleep(5);
    }
    return Number.NaN;
  } finally {
    kill();
    await gone;
    process.off("exit", kill);
  }
}

function withDatabase(uri: string, name: string): string {
  const url = new URL(uri);
  url.pathname = `/${name}`;
  return url.href;
}
