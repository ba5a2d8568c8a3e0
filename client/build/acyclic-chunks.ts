import type { Plugin } from "vite";

/** Files and those that each of them imports statically. */
type ImportGraph = ReadonlyMap<string, readonly string[]>;

/**
 * Fails the build where files of the output import each other in a circle: one of them would run before what it needs,
 * and the pages behind it would not load. Grouping modules by hand (chunks.ts) can do that; nothing else would notice.
 */
export function acyclicChunks(): Plugin {
  return {
    name: "tasklane-acyclic-chunks",
    apply: "build",
    generateBundle(_, bundle) {
      const graph = new Map<string, readonly string[]>();
      for (const file of Object.values(bundle))
        if (file.type === "chunk") graph.set(file.fileName, file.imports);
      const cycle = findCycle(graph);
      if (cycle)
        this.error(`These files import each other: ${cycle.join(" → ")}. Change the groups in chunks.ts.`);
    },
  };
}

/** A circle of imports, its first file again at its end; undefined if there is none. */
export function findCycle(graph: ImportGraph): string[] | undefined {
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const imported of graph.get(file) ?? []) {
      const cycle = visit(imported, [...path, file]);
      if (cycle) return cycle;
    }
    done.add(file);
    return undefined;
  };
  for (const file of graph.keys()) {
    const cycle = visit(file, []);
    if (cycle) return cycle;
  }
  return undefined;
}
