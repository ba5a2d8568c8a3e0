import { chromium } from "@playwright/test";
import { type Browser, type ElementHandle, launch, type Page } from "puppeteer-core";
import { requirePackages } from "../lib/apt.ts";
import { findChromium } from "../lib/chromium.ts";
import { CHROMIUM_FLAGS } from "../lib/chromium-flags.ts";
import { which } from "../lib/run.ts";
import { type Engine, type Tab, WINDOW } from "./tab.ts";
import { startWebKit } from "./webkit.ts";

type Progress = (text: string) => void;

/** Starts each engine; installs it from Debian's packages if it is missing. */
export const ENGINES: Record<string, (progress: Progress) => Promise<Engine>> = {
  chromium: async (progress) => {
    const path = (await findChromium(progress)) ?? chromium.executablePath();
    return startWithPuppeteer("chrome", path);
  },
  firefox: async (progress) => {
    const find = () => process.env["E2E_FIREFOX"] || which("firefox-esr") || which("firefox");
    if (!find()) await requirePackages(["firefox-esr"], progress);
    return startWithPuppeteer("firefox", find() ?? "firefox-esr");
  },
  webkit: async (progress) => {
    const programs = { WebKitWebDriver: "webkit2gtk-driver", Xvfb: "xvfb", "dbus-run-session": "dbus" };
    const missing = Object.entries(programs).filter(([program]) => !which(program));
    if (missing.length > 0)
      await requirePackages(
        missing.map(([, name]) => name),
        progress,
      );
    return startWebKit();
  },
};

/** Starts Chromium (over CDP) or Firefox (over WebDriver BiDi). */
async function startWithPuppeteer(browser: "chrome" | "firefox", executablePath: string): Promise<Engine> {
  const running = await launch({
    browser,
    executablePath,
    headless: true,
    defaultViewport: WINDOW,
    args: browser === "chrome" ? CHROMIUM_FLAGS : [],
    // The command stops the browser itself, in the right order.
    ...{ handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false },
  });
  return {
    version: await running.version(),
    newTab: () => newTab(running),
    // Closing twice is allowed.
    close: async () => void (running.connected && (await running.close())),
  };
}

async function newTab(browser: Browser): Promise<Tab> {
  const context = await browser.createBrowserContext();
  const page: Page = await context.newPage();
  // "Leave this page?" on a reload with an unsent form.
  page.on("dialog", (dialog) => void dialog.accept());
  const asExpression = (script: string) => `(async () => { ${script} })()`;
  return {
    goto: async (url) => void (await page.goto(url)),
    reload: async () => void (await page.reload()),
    // goBack() waits for an event that Firefox ESR 140 does not send if the document stays.
    back: () => page.evaluate("history.back()") as Promise<void>,
    resize: (width, height) =>
      page.setViewport({ width, height }).catch((error: unknown) => {
        // Firefox ESR 140 has no such command, which Puppeteer sends along with the size.
        if (!String(error).includes("setScreenOrientationOverride")) throw error;
      }),
    run: (script) => page.evaluate(asExpression(script)),
    click: async (script) => {
      const handle = await page.evaluateHandle(asExpression(script));
      const element = handle.asElement() as ElementHandle | null;
      await element?.click();
      await handle.dispose();
      return element !== null;
    },
    type: (text) => page.keyboard.type(text),
    pressEscape: () => page.keyboard.press("Escape"),
    screenshot: async () => Buffer.from(await page.screenshot()),
    close: () => context.close(),
  };
}
