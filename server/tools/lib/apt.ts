import { createInterface } from "node:readline/promises";
import { run } from "./run.ts";

/**
 * Installs Debian packages. On a terminal it asks first; without one it does so only as root, as in a container or CI, and
 * says so.
 * @returns whether they are installed now.
 */
export async function aptInstall(packages: string[], progress: (text: string) => void): Promise<boolean> {
  const isRoot = process.getuid?.() === 0;
  const install = [
    ...(isRoot ? [] : ["sudo"]),
    "apt-get",
    "install",
    "-y",
    "--no-install-recommends",
    ...packages,
  ];
  if (process.stdin.isTTY) {
    const terminal = createInterface({ input: process.stdin, output: process.stdout });
    // Ctrl-C means no.
    const response = await terminal
      .question(`\n  May I run \`${install.join(" ")}\`? [y/N] `)
      .catch(() => "");
    terminal.close();
    if (!/^y/i.test(response)) return false;
  } else if (!isRoot) return false;
  progress(`running ${install.join(" ")}`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", LC_ALL: "C" };
  const [command = "", ...args] = install;
  if ((await run(command, args, { env })).code === 0) return true;
  // New machines have no package lists yet.
  await run(command, args.map((word) => (word === "install" ? "update" : word)).slice(0, isRoot ? 1 : 2), {
    env,
  });
  return (await run(command, args, { env })).code === 0;
}
