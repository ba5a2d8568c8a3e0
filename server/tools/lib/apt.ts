import { run, which } from "./run.ts";
import { UserError } from "./user-error.ts";

/** Installs Debian packages, as root or with passwordless sudo. @returns whether that worked. */
export async function aptInstall(...packages: string[]): Promise<boolean> {
  return (await tryInstall(packages)).code === 0;
}

/** Installs Debian packages. @throws {UserError} that says why it failed and what to do. */
export async function requirePackages(packages: string[], progress: (text: string) => void): Promise<void> {
  const names = packages.join(" ");
  if (!which("apt-get")) {
    throw new UserError(`This needs ${names}, and only Debian's packages are installed automatically.`);
  }
  progress(`installing ${names} from Debian's packages`);
  const { code, output } = await tryInstall(packages);
  if (code === 0) return;
  const reasons: [RegExp, string][] = [
    [/Permission denied|are you root|sudo|a password is required/i, "that takes root"],
    [/Unable to locate package|no installation candidate/i, "this system has no such package"],
    [/resolv|Could not connect|Unable to (fetch|connect)|timed out/i, "the package server does not respond"],
  ];
  const reason = reasons.find(([pattern]) => pattern.test(output))?.[1] ?? output.trim().split("\n").at(-1);
  throw new UserError(`This needs ${names}, and ${reason}. Try: sudo apt-get install ${names}`);
}

async function tryInstall(packages: string[]): Promise<{ code: number; output: string }> {
  const sudo = process.getuid?.() === 0 ? [] : ["sudo", "-n"];
  const apt = (...args: string[]) => {
    const [command = "", ...rest] = [...sudo, "apt-get", ...args];
    return run(command, rest, { env: { ...process.env, DEBIAN_FRONTEND: "noninteractive", LC_ALL: "C" } });
  };
  const install = () => apt("install", "-y", "--no-install-recommends", ...packages);
  const first = await install();
  if (first.code === 0) return first;
  // New machines have no package lists yet.
  const updated = await apt("update");
  const second = await install();
  return { code: second.code, output: first.output + updated.output + second.output };
}
