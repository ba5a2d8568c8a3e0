import { tsImport } from "tsx/esm/api";
import type * as TestServices from "../dev/test-services.ts";

/**
 * One MongoDB and one Auth emulator for the whole run; each test file has a database of its own.
 * `npm test` brings them; a bare `vitest` starts them here, in Node itself: vitest's module runner, which loads this
 * file, lacks what the launcher uses (`import.meta.resolve`).
 */
export default async function setup(): Promise<() => Promise<void>> {
  const { ensureTestServices }: typeof TestServices = await tsImport(
    "../dev/test-services.ts",
    import.meta.url,
  );
  const services = await ensureTestServices();
  return () => services.stop();
}
