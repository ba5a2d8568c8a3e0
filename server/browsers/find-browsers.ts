import { chromium } from "@playwright/test";
import { findChromium } from "../dev/chromium.ts";
import { requirePackages } from "../dev/lib/apt.ts";
import { which } from "../dev/lib/run.ts";
import { startWithPuppeteer } from "./puppeteer.ts";
import type { Engine } from "./tab.ts";
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
