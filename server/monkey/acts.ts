import type { ElementHandle } from "@playwright/test";
import type { BrowserWindow } from "./browser-window.ts";
import type { Control, PageSnapshot } from "./page-snapshot.ts";
import type { Person } from "./people.ts";
import { type Random, textFor } from "./texts.ts";

/** What an act works with. */
export type ActContext = {
  window: BrowserWindow;
  random: Random;
  person: Person | null;
  /** How often each control was used. */
  used: Map<string, number>;
  /** Addresses of the app that the person may open. */
  addresses: readonly string[];
};

/** A short description of an act, and its possible effects. */
export type ActResult = {
  text: string;
  byKeyboard?: boolean;
  /** A form may have been sent, left or cleared on purpose. */
  mayDropTyped?: boolean;
  /** The person may have signed out, or in as someone else. */
  changesSession?: boolean;
  /** The act was not possible: its element moved or was covered. */
  skipped?: boolean;
  /** Which tabs may show outdated data from now on. */
  makesStale?: "all tabs" | "other tabs";
  /** The current tab was reloaded, so its data is fresh. */
  reloaded?: boolean;
};

export type Act = (context: ActContext, snapshot: PageSnapshot) => Promise<ActResult | null>;

export const CLICK_MS = 2_000;
const DROPS_TYPED = /discard|start over|start again|cancel|clear|back|keep|use |remove|withdraw|delete|copy/i;
const ENDS_SESSION = /log ?out|delete my|permanently delete|change password|^login|sign up|google/i;
const RARELY = /log ?out/i;

/** The possible effects of using a control, by mouse or keyboard. */
function effectsOf({ name, place, isSubmit, form, closes }: Control): Partial<ActResult> {
  const isFormButton = form >= 0 && !closes;
  return {
    ...((isSubmit || isFormButton || place === "question" || DROPS_TYPED.test(name)) && {
      mayDropTyped: true,
    }),
    ...(ENDS_SESSION.test(name) && { changesSession: true }),
    makesStale: "other tabs",
  };
}

/** Uses one of the controls on the screen, preferably one that was used less often. */
export const useControl: Act = async (context, snapshot) => {
  const { window, random, used } = context;
  const controls = await window.controls();
  const page = snapshot.address.replace(/[\da-f]{24}|\?.*/g, "");
  const keyOf = ({ kind, name }: Control) => `${page} ${kind} ${name}`;
  const weighted = controls.map((control, at) => {
    const times = used.get(keyOf(control)) ?? 0;
    const base = RARELY.test(control.name) ? 0.1 : control.place === "frame" ? 1 : 4;
    return [base / (1 + times) ** 2, at] as const;
  });
  if (weighted.length === 0) return null;
  const at = random.weighted(weighted);
  const control = controls[at] as Control;
  used.set(keyOf(control), (used.get(keyOf(control)) ?? 0) + 1);
  const element = await window.element(at);
  if (control.kind === "field") return fill(context, snapshot, control, element);
  if (control.kind === "select") return choose(context, control, element);
  const text = `click ${control.kind} “${control.name}”`;
  try {
    await element.click({ timeout: CLICK_MS });
  } catch (error) {
    return skippedAct(text, error);
  }
  return { text, ...effectsOf(control) };
};

/** Fills in a whole form, mostly with valid values, and mostly submits it. */
export const fillForm: Act = async (context, snapshot) => {
  const { window, random } = context;
  const controls = await window.controls();
  const forms = [...new Set(controls.filter(({ kind }) => kind === "field").map(({ form }) => form))];
  const form = random.pick(forms.filter((one) => one >= 0));
  if (form === undefined) return null;
  const texts: string[] = [];
  for (const [at, control] of controls.entries()) {
    if (control.form !== form) continue;
    const element = await window.element(at);
    if (control.kind === "field" && !control.isReadOnly)
      texts.push((await fill(context, snapshot, control, element)).text);
    else if (control.kind === "select") texts.push((await choose(context, control, element)).text);
    else if (control.kind === "toggle" && random.roll() < 0.5) await element.click({ timeout: CLICK_MS });
  }
  // Filling it in may have changed the form's controls.
  const after = await window.controls();
  const send = after.findIndex((one) => one.form === form && one.kind === "button" && one.isSubmit);
  const button = after[send];
  if (!button || random.roll() < 0.3) return { text: texts.join(", ") };
  await (await window.element(send)).click({ timeout: CLICK_MS });
  return { text: `${texts.join(", ")}, click “${button.name}”`, ...effectsOf(button) };
};

async function fill(
  context: ActContext,
  snapshot: PageSnapshot,
  control: Control,
  element: ElementHandle,
): Promise<ActResult> {
  const { window, random, person } = context;
  const isLogin = snapshot.address.startsWith("/auth/login");
  // Demo accounts enter their password only at login, so that they cannot delete themselves.
  const mayEnterPassword = person && (isLogin || (person.isOwn && random.roll() < 0.5));
  let text = textFor(control, random);
  if (mayEnterPassword && control.type === "password") text = person.password;
  if (isLogin && person && control.type === "email") text = person.email;
  if (person?.isOwn && control.field === "word") text = "DELETE";
  if (control.isReadOnly) return { text: `look at “${control.name}”` };
  await element.fill(text, { timeout: CLICK_MS });
  if (control.isWork) window.tab.typed.note(snapshot.address, control.id, await element.inputValue());
  return { text: `type ${JSON.stringify(text.slice(0, 30))} in “${control.name}”` };
}

async function choose(
  { random }: ActContext,
  { name, options }: Control,
  element: ElementHandle,
): Promise<ActResult> {
  const option = random.pick(options) ?? "";
  await element.selectOption(option, { timeout: CLICK_MS });
  return { text: `choose ${JSON.stringify(option)} in “${name}”`, makesStale: "other tabs" };
}

const ARROWS = ["ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight", "Home", "End"];

/** Uses the keyboard: presses Tab some times, then a key that suits the focused control. */
export const pressKeys: Act = async ({ window, random }, snapshot) => {
  const { keyboard } = window.page;
  const tabPresses = snapshot.isModal ? random.pick([0, 1, 2]) : random.pick([0, 1, 2, 5, 9]);
  const back = random.roll() < 0.3 ? "Shift+" : "";
  for (let count = 0; count < tabPresses; count++) await keyboard.press(`${back}Tab`);
  const walk = tabPresses > 0 ? `${back}Tab ×${tabPresses}, ` : "";
  const control = await window.focused();
  const isText = control?.kind === "field" || control?.kind === "select";
  const hadFocus = (await window.snapshot()).focus !== "";
  const key = random.weighted([
    [control && control.kind !== "select" ? 4 : 0, "Enter"],
    [control && !isText && control.kind !== "link" ? 2 : 0, "Space"],
    [isText ? 0 : 1.5, random.pick(ARROWS)],
    [2, "Escape"],
    [1, ""],
  ]);
  if (key) await keyboard.press(key);
  // In a textarea Enter adds a line, or submits the form.
  if (key === "Enter" && control?.type === "textarea" && control.isWork)
    window.tab.typed.note(snapshot.address, control.id, await window.focusedText());
  const effects = control && (key === "Enter" || key === "Space") ? effectsOf(control) : {};
  // Enter in a field may submit its form.
  const sends =
    key === "Enter" && control?.kind === "field"
      ? { mayDropTyped: true, changesSession: /auth|settings/.test(snapshot.address) }
      : {};
  const on = control ? ` on ${control.kind} “${control.name}”` : "";
  return {
    text: `${walk}${key || "nothing"}${on}`,
    byKeyboard: hadFocus && key !== "",
    ...effects,
    ...sends,
  };
};

/** The result of an act whose element moved or was covered; earlier steps of it may have had effects. */
export function skippedAct(text: string, error: unknown): ActResult {
  const why =
    /<.* intercepts pointer events|not stable|not visible|outside of the viewport|not attached/.exec(
      String(error),
    )?.[0];
  return {
    text: `(not done: ${text}; ${why ?? String(error).split("\n")[0]})`,
    skipped: true,
    mayDropTyped: true,
    changesSession: true,
  };
}
