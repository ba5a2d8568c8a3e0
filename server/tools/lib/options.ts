import { parseArgs } from "node:util";
import { UserError } from "./user-error.ts";

/**
 * Reads a tool's options: `--seed 5` for a number or text, `--load` for a switch, `--only a --only b` for a list.
 * @param defaults all options with their usual values.
 * @throws {UserError} if a number is not a whole one from 1, or an option is unknown.
 */
export function readOptions<Options extends Record<string, number | string | boolean | string[]>>(
  tool: string,
  args: string[],
  defaults: Options,
): Options {
  const options = Object.entries(defaults).map(([name, usual]) => {
    const type = typeof usual === "boolean" ? ("boolean" as const) : ("string" as const);
    return [name, { type, multiple: Array.isArray(usual) }] as const;
  });
  const usage = `Usage: npm run tool ${tool} -- [--${Object.keys(defaults).join(" …] [--")} …]`;
  const { values } = parsed();
  const read = Object.entries(defaults).map(([name, usual]) => {
    const value = values[name] ?? usual;
    if (typeof usual !== "number") return [name, value];
    if (!Number.isInteger(Number(value)) || Number(value) < 1)
      throw new UserError(`--${name} is "${value}": use a whole number from 1.\n${usage}`);
    return [name, Number(value)];
  });
  return Object.fromEntries(read) as Options;

  function parsed() {
    try {
      return parseArgs({ args, options: Object.fromEntries(options) });
    } catch (error) {
      throw new UserError(`${(error as Error).message}\n${usage}`);
    }
  }
}
