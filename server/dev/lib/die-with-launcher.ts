/**
 * Node options for a forked child: loaded before its own code. The IPC channel closes when the launcher ends,
 * however it ends (kill -9 too), and then the child ends itself: no orphan, and no third process to watch the two.
 * It gets three seconds for its own way out, which it may not have yet while it is starting.
 */
export const DIE_WITH_LAUNCHER = [
  "--import",
  `data:text/javascript,${encodeURIComponent(`
    process.on("disconnect", () => {
      setTimeout(() => process.kill(process.pid, "SIGKILL"), 3000);
      process.kill(process.pid, "SIGTERM");
    });
    process.stdout.on("error", () => {});
  `)}`,
];
