import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { identify, isRunning } from "./lock.ts";
import { run } from "./run.ts";

const CHILD = `
  const { writeFileSync } = require("node:fs");
  process.on("SIGTERM", () => setTimeout(() => { writeFileSync("ended", ""); process.exit(); }, 200));
  setInterval(() => {}, 1_000);
  writeFileSync("pid", String(process.pid));
`;
const PARENT = `
  require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(CHILD)}], { stdio: "ignore" });
  setInterval(() => {}, 1_000);
`;

test("When a run is aborted, then it resolves only after its child processes have ended too", async () => {
  const folder = temporaryFolder();
  const abort = new AbortController();
  const running = run(process.execPath, ["-e", PARENT], { cwd: folder, signal: abort.signal });
  let pid = 0;
  await vi.waitFor(
    () => {
      pid = Number(readFileSync(join(folder, "pid")));
      expect(pid).toBeGreaterThan(0);
    },
    { timeout: 10_000 },
  );
  onTestFinished(() => {
    if (!existsSync(join(folder, "ended"))) process.kill(pid, "SIGKILL");
  });
  abort.abort();
  await running;
  expect(existsSync(join(folder, "ended"))).toBe(true);
  // With an aborted signal nothing is started.
  expect(await run(process.execPath, ["-e", PARENT], { signal: abort.signal })).toEqual({
    code: 1,
    output: "",
  });
});

test("When whoever runs a package's executable is killed, then that ends too", async () => {
  const folder = temporaryFolder();
  const tool = join(folder, "node_modules/tool");
  mkdirSync(tool, { recursive: true });
  writeFileSync(join(tool, "package.json"), '{ "bin": "tool.js" }');
  writeFileSync(
    join(tool, "tool.js"),
    'require("node:fs").writeFileSync("pid", String(process.pid)); setInterval(() => {}, 1_000);',
  );
  const script = `
    import { runBin } from ${JSON.stringify(new URL("run.ts", import.meta.url).href)};
    await runBin(${JSON.stringify(folder)}, "tool", [], { signal: new AbortController().signal });`;
  const args = ["--import", "tsx", "--input-type=module", "--eval", script];
  const launcher = spawn(process.execPath, args, { stdio: "ignore" });
  const soon = { timeout: 30_000 };
  const pid = await vi.waitFor(() => Number(readFileSync(join(folder, "pid"))) || Promise.reject(), soon);
  const started = identify(pid);
  onTestFinished(() => void (isRunning(started) && process.kill(pid, "SIGKILL")));
  launcher.kill("SIGKILL");
  await expect.poll(() => isRunning(started), soon).toBe(false);
});
