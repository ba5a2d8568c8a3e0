import { ensureTestServices } from "../dev/test-services.ts";

/** One MongoDB and one Auth emulator for the whole run; each test file has a database of its own. */
export default async function setup(): Promise<() => Promise<void>> {
  const services = await ensureTestServices();
  return () => services.stop();
}
