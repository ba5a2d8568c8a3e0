import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { ROOT, TOOLS } from "./paths.ts";

const FILE = join(TOOLS, "RESULTS.md");

/** Replaces a tool's section of RESULTS.md, which only tools write: when, where and by which command it was measured, and the result. */
export function writeResult(tool: string, command: string, result: string): void {
  const commit = execFileSync("git", ["describe", "--always", "--dirty", "--exclude=*"], {
    cwd: ROOT,
    encoding: "utf8",
  }).trim();
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim() ?? "?"}), Node ${process.versions.node}`;
  const run = `\`${command}\` on ${new Date().toISOString().slice(0, 10)}, commit ${commit}, ${machine}`;
  const [head = "", ...sections] = readFileSync(FILE, "utf8")
    .trim()
    .split(/\n\n(?=## )/);
  const others = sections.filter((section) => !section.startsWith(`## ${tool}\n`));
  const all = [...others, `## ${tool}\n\n${run}\n\n${result}`].sort();
  writeFileSync(FILE, `${[head, ...all].join("\n\n")}\n`);
}

/** A Markdown table; the first column is text, the others are numbers. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map((_, index) => (index === 0 ? "---" : "---:"))), ...rows.map(line)].join(
    "\n",
  );
}
