import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
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
  const folder = mkdtempSync(join(tmpdir(), "tasklane-run-"));
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
    rmSync(folder, { recursive: true });
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
