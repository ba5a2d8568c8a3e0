import { fork } from "node:child_process";
import { devNull } from "node:os";

/** Ends processes whose parent is gone; see {@link startReaper}. */
export type Reaper = {
  /** From now on this process must not outlive ours. */
  watch(pid: number): void;
  /** This process ended, so its id may soon be somebody else's. */
  forget(pid: number): void;
  close(): void;
};

// The channel closes when the parent ends, however it ends.
const SCRIPT = `
  const pids = new Set();
  process.on("message", ({ pid, watch }) => watch ? pids.add(pid) : pids.delete(pid));
  process.on("disconnect", () => {
    for (const pid of pids) try { process.kill(pid, "SIGKILL"); } catch {}
  });
`;

/** A small process that outlives a `kill -9` of this one just long enough to end what this one started. */
export function startReaper(): Reaper {
  const child = fork(devNull, { execArgv: ["-e", SCRIPT], stdio: ["ignore", "ignore", "ignore", "ipc"] });
  child.unref();
  child.channel?.unref();
  return {
    watch: (pid) => void child.send({ pid, watch: true }),
    forget: (pid) => void child.send({ pid, watch: false }),
    close: () => child.disconnect(),
  };
}
