import { run } from "./run.ts";

/** Installs Debian packages, as root or by sudo without a password. @returns whether that worked. */
export async function aptInstall(...packages: string[]): Promise<boolean> {
  const sudo = process.getuid?.() === 0 ? [] : ["sudo", "-n"];
  const apt = async (...args: string[]) => {
    const [command = "", ...rest] = [...sudo, "apt-get", ...args];
    const { code } = await run(command, rest, { env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } });
    return code === 0;
  };
  const install = () => apt("install", "-y", "--no-install-recommends", ...packages);
  if (await install()) return true;
  // New machines have no package lists yet.
  await apt("update");
  return install();
}
