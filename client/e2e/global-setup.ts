import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

const LAUNCHER = fileURLToPath(new URL("../../server/tools/bootstrap.mjs", import.meta.url));

/** Starts the whole product for the run, sets `E2E_BASE_URL`, and returns a function that stops it. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const launcher = fork(LAUNCHER, ["e2e-server"], {
    execArgv: [],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const gone = new Promise<void>((done) => launcher.once("exit", () => done()));
  const url = await new Promise<string>((done, fail) => {
    launcher.once("message", (message) => done((message as { url: string }).url));
    launcher.once("exit", () => fail(new Error("The product for the browser tests did not start.")));
  });
  // Inherited by the workers.
  process.env["E2E_BASE_URL"] = url;
  return async () => {
    // The launcher stops everything when the channel closes.
    launcher.disconnect();
    await gone;
  };
}
