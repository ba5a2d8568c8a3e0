import { explain } from "./lib/user-error.ts";

/** Runs one of the commands; an error becomes what a person can act on, and exit code 1. */
export async function runCommand(name: string, args: string[]): Promise<void> {
  // A closed terminal or pipe must not end the stopping half-way.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  try {
    const command = (await import(`./commands/${name}.ts`)) as { main(args: string[]): Promise<void> };
    await command.main(args);
  } catch (error) {
    process.stderr.write(`\n${explain(error)}\n`);
    process.exit(1);
  }
}
