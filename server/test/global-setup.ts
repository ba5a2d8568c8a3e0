import { tsImport } from "tsx/esm/api";
import type * as TestServices from "../tools/start/test-services.ts";

/**
 * One MongoDB and one Auth emulator for the whole run; each test file has its own database. `npm test` starts them;
 * plain `vitest` starts them here, through tsx, because vitest's module runner lacks `import.meta.resolve`, which they
 * need.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const { ensureTestServices }: typeof TestServices = await tsImport(
    "../tools/start/test-services.ts",
    import.meta.url,
  );
  const services = await ensureTestServices();
  return () => services.stop();
}
