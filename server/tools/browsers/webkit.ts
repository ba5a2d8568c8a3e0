import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { freePort } from "../lib/ports.ts";
import { endGroup, signalGroup } from "../lib/run.ts";
import { waitUntil } from "../lib/wait-until.ts";
import { type Engine, type Tab, WINDOW } from "./tab.ts";

const READY_MS = 20_000;
/** WebDriver's code point for the key. */
const ESCAPE = "\uE00C";
/** WebDriver's name for a reference to an element. */
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

/** Starts WebKitGTK through its WebDriver, on its own display and message bus. */
export async function startWebKit(): Promise<Engine> {
  const folder = mkdtempSync(join(tmpdir(), "tasklane-webkit-"));
  const groups: ChildProcess[] = [];
  const close = async () => {
    for (const group of groups.reverse()) await endGroup(group);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    // Chooses a free display and prints its number.
    const display = startGroup("Xvfb", "-displayfd", "1", "-screen", "0", "1920x1080x24", "-nolisten", "tcp");
    groups.push(display);
    const number = await firstLine(display);
    const port = await freePort();
    const driver = startGroup(
      ...(["env", "-u", "WAYLAND_DISPLAY", `DISPLAY=:${number}`, `HOME=${folder}`] as const),
      ...["XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR"].map(
        (name) => `${name}=${folder}`,
      ),
      // There may be no graphics card, and containers have no user namespaces for the sandbox.
      ...["WEBKIT_DISABLE_COMPOSITING_MODE=1", "LIBGL_ALWAYS_SOFTWARE=1"],
      "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS=1",
      ...["dbus-run-session", "--", "WebKitWebDriver", `--port=${port}`],
    );
    groups.push(driver);
    const call = webDriver(`http://127.0.0.1:${port}`);
    const isReady = () =>
      call("GET", "/status").then(
        () => true,
        () => false,
      );
    if (!(await waitUntil(isReady, { timeoutMs: READY_MS })))
      throw new Error("WebKitWebDriver did not start.");
    const first = await newTab(call);
    const { version } = first;
    await first.close();
    return { version, newTab: () => newTab(call), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Starts a program in its own process group, which a Ctrl-C in the terminal does not reach. */
function startGroup(command: string, ...args: string[]): ChildProcess {
  const child = spawn(command, args, { detached: true, stdio: ["ignore", "pipe", "ignore"] });
  child.on("error", () => undefined);
  // After a second Ctrl-C nothing else would end it.
  process.once("exit", () => signalGroup(child, "SIGKILL"));
  return child;
}

async function firstLine(child: ChildProcess): Promise<string> {
  const { stdout } = child;
  if (!stdout) throw new Error("no standard output");
  const lines = createInterface({ input: stdout });
  const ended = once(child, "exit").then(() => {
    throw new Error(`${child.spawnfile} did not start.`);
  });
  const [line] = (await Promise.race([once(lines, "line"), ended])) as [string];
  return line;
}

type Call = (method: "GET" | "POST" | "DELETE", path: string, body?: object) => Promise<unknown>;

function webDriver(url: string): Call {
  return async (method, path, body) => {
    const response = await fetch(url + path, {
      method,
      ...(method === "POST" && { body: JSON.stringify(body ?? {}) }),
      signal: AbortSignal.timeout(READY_MS),
    });
    const { value } = (await response.json()) as { value: { message?: string } };
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(value)}`);
    return value;
  };
}

async function newTab(driver: Call): Promise<Tab & { version: string }> {
  const capabilities = { alwaysMatch: { unhandledPromptBehavior: "accept" } };
  const session = (await driver("POST", "/session", { capabilities })) as {
    sessionId: string;
    capabilities: { browserName: string; browserVersion: string };
  };
  const call: Call = (method, path, body) => driver(method, `/session/${session.sessionId}${path}`, body);
  const run = (script: string) =>
    call("POST", "/execute/async", {
      script: `const done = arguments[0]; (async () => { ${script} })().then(done, (error) => done({ failed: String(error) }));`,
      args: [],
    });
  const keys = (values: string[]) =>
    call("POST", "/actions", {
      actions: [
        {
          ...{ type: "key", id: "keyboard" },
          actions: values.flatMap((value) => [
            { type: "keyDown", value },
            { type: "keyUp", value },
          ]),
        },
      ],
    });
  const tab: Tab = {
    goto: async (url) => void (await call("POST", "/url", { url })),
    reload: async () => void (await call("POST", "/refresh")),
    back: async () => void (await call("POST", "/back")),
    resize: async (width, height) => void (await call("POST", "/window/rect", { width, height })),
    run,
    click: async (script) => {
      const element = (await run(script)) as Record<string, string> | null;
      if (!element?.[ELEMENT]) return false;
      await call("POST", `/element/${element[ELEMENT]}/click`);
      return true;
    },
    type: async (text) => void (await keys([...text])),
    pressEscape: async () => void (await keys([ESCAPE])),
    screenshot: async () => Buffer.from((await call("GET", "/screenshot")) as string, "base64"),
    close: async () => void (await call("DELETE", "")),
  };
  await tab.resize(WINDOW.width, WINDOW.height);
  const { browserName, browserVersion } = session.capabilities;
  return { ...tab, version: `${browserName}/${browserVersion}` };
}
