import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { Closer, withCloser } from "./closer.ts";

test("When something does not stop, then the rest is stopped after a deadline, with a message", async () => {
  const written = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const closer = new Closer({ stopMs: 20 });
  const stopped: string[] = [];
  closer.add(() => void stopped.push("lock"));
  closer.add(() => new Promise(() => undefined));
  // Never starts, so it cannot be stopped either.
  void closer.track(new Promise<void>(() => undefined), () => void stopped.push("never"));
  await closer.close();
  expect(stopped).toEqual(["lock"]);
  expect(written.mock.calls.flat().join("")).toContain("did not stop within 0.02 s");
});

test("When work fails after it has stopped what it started, then its error is not dropped", async () => {
  const failing = withCloser(async (closer) => {
    await closer.close();
    throw new Error("found something");
  });
  await expect(failing).rejects.toThrow("found something");
});

test.each([
  [1, "a crash", "closer.fail(new Error('crashed'));"],
  [2, "the first signal", ""],
] as const)(
  "When stopping hangs, then signal number %i ends the process at once after %s",
  async (signals, _, before) => {
    const script = `
    const { Closer } = await import(${JSON.stringify(new URL("closer.ts", import.meta.url).href)});
    const closer = new Closer();
    closer.closeOnSignal();
    closer.add(() => new Promise((done) => setTimeout(done, 60_000)));
    ${before}
    setInterval(() => process.stdout.write("running "), 50);`;
    const args = ["--import", "tsx", "--input-type=module", "--eval", script];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] });
    const exited = once(child, "exit");
    for (let sent = 1; sent <= signals; sent++) {
      await once(child.stdout, "data");
      child.kill("SIGTERM");
      // At once again, as a Ctrl-C that npm passes on.
      child.kill("SIGINT");
      if (sent === signals) break;
      await sleep(600);
      expect(child.exitCode).toBeNull();
    }
    expect(await exited).toEqual([1, null]);
  },
);
