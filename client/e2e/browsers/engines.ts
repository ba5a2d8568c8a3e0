import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { type ElementHandle, launch } from "puppeteer-core";

/** A browser window in its own session; hides the differences between engines. Scripts are bodies of async functions. */
export type Tab = {
  goto(url: string): Promise<unknown>;
  /** Sets the window's size in CSS pixels. WebKitGTK's is never narrower than 447. */
  resize(width: number, height: number): Promise<unknown>;
  /** Runs a script in the page. @returns its result. */
  run(script: string): Promise<unknown>;
  /** Clicks the element that a script returns like a mouse would; false if it returns none. */
  click(script: string): Promise<boolean>;
  /** Types into the element with focus. */
  type(text: string): Promise<unknown>;
  pressEscape(): Promise<unknown>;
  close(): Promise<unknown>;
};

export type Engine = { newTab(): Promise<Tab>; close(): Promise<void> };

/** The engines besides Chromium, which all other browser tests use. @throws {Error} if one is not installed. */
export const ENGINES: Record<string, () => Promise<Engine>> = { firefox: startFirefox, webkit: startWebKit };

/** Firefox, over WebDriver BiDi: `apt-get install firefox-esr`, or name one in `E2E_FIREFOX`. */
async function startFirefox(): Promise<Engine> {
  const executablePath = process.env["E2E_FIREFOX"] ?? "/usr/bin/firefox-esr";
  const browser = await launch({ browser: "firefox", executablePath, headless: true });
  return { newTab, close: () => browser.close() };

  async function newTab(): Promise<Tab> {
    const page = await (await browser.createBrowserContext()).newPage();
    // "Leave this page?" on a navigation from an unsent form.
    page.on("dialog", (dialog) => void dialog.accept());
    const asExpression = (script: string) => `(async () => { ${script} })()`;
    return {
      goto: (url) => page.goto(url),
      resize: (width, height) =>
        page.setViewport({ width, height }).catch((error: unknown) => {
          // Firefox ESR 140 has no such command, which Puppeteer sends along with the size.
          if (!String(error).includes("setScreenOrientationOverride")) throw error;
        }),
      run: (script) => page.evaluate(asExpression(script)),
      click: async (script) => {
        const element = (await page.evaluateHandle(asExpression(script))).asElement() as ElementHandle | null;
        await element?.click();
        return element !== null;
      },
      type: (text) => page.keyboard.type(text),
      pressEscape: () => page.keyboard.press("Escape"),
      close: () => page.browserContext().close(),
    };
  }
}

const PORT = 4_555;
const READY_MS = 20_000;
/** WebDriver's code point for the Escape key, and its name for a reference to an element. */
const ESCAPE = "\uE00C";
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

/** WebKitGTK, through its WebDriver, on its own display and message bus: `apt-get install webkit2gtk-driver xvfb dbus`. */
async function startWebKit(): Promise<Engine> {
  const folder = mkdtempSync(join(tmpdir(), "tasklane-webkit-"));
  // Chooses a free display and prints its number.
  const display = startGroup("Xvfb", "-displayfd", "1", "-screen", "0", "1920x1080x24", "-nolisten", "tcp");
  const [number] = await once(createInterface({ input: display.stdout as NodeJS.ReadableStream }), "line");
  const driver = startGroup(
    ...(["env", "-u", "WAYLAND_DISPLAY", `DISPLAY=:${number}`, `HOME=${folder}`] as const),
    ...["XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR"].map(
      (name) => `${name}=${folder}`,
    ),
    // There may be no graphics card, and containers have no user namespaces for the sandbox.
    ...["WEBKIT_DISABLE_COMPOSITING_MODE=1", "LIBGL_ALWAYS_SOFTWARE=1"],
    "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS=1",
    ...["dbus-run-session", "--", "WebKitWebDriver", `--port=${PORT}`],
  );
  for (const end = Date.now() + READY_MS; Date.now() < end; await sleep(100))
    if ((await fetch(`http://127.0.0.1:${PORT}/status`).catch(() => undefined))?.ok) break;
  return {
    newTab,
    close: async () => {
      for (const { pid = 0 } of [driver, display]) process.kill(-pid, "SIGTERM");
      await Promise.all([driver, display].map((child) => once(child, "exit")));
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };

  async function newTab(): Promise<Tab> {
    const capabilities = { alwaysMatch: { unhandledPromptBehavior: "accept" } };
    const { sessionId } = (await callDriver("", { capabilities })) as { sessionId: string };
    const call = (path: string, body: object) => callDriver(`/${sessionId}${path}`, body);
    const run = (script: string) =>
      call("/execute/async", {
        script: `const done = arguments[0]; (async () => { ${script} })().then(done, (error) => done({ failed: String(error) }));`,
        args: [],
      });
    const type = (text: string) => {
      const actions = [...text].flatMap((value) => [
        { type: "keyDown", value },
        { type: "keyUp", value },
      ]);
      return call("/actions", { actions: [{ type: "key", id: "keyboard", actions }] });
    };
    return {
      goto: (url) => call("/url", { url }),
      resize: (width, height) => call("/window/rect", { width, height }),
      run,
      click: async (script) => {
        const element = (await run(script)) as Record<string, string> | null;
        if (!element?.[ELEMENT]) return false;
        await call(`/element/${element[ELEMENT]}/click`, {});
        return true;
      },
      type,
      pressEscape: () => type(ESCAPE),
      close: () => callDriver(`/${sessionId}`, undefined, "DELETE"),
    };
  }
}

async function callDriver(path: string, body?: object, method = "POST"): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${PORT}/session${path}`, {
    method,
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(READY_MS),
  });
  const { value } = (await response.json()) as { value: unknown };
  if (!response.ok) throw new Error(`${path}: ${JSON.stringify(value)}`);
  return value;
}

/** Starts a program in its own process group, so that its children can be ended with it. */
function startGroup(command: string, ...args: string[]): ChildProcess {
  return spawn(command, args, { detached: true, stdio: ["ignore", "pipe", "ignore"] });
}
