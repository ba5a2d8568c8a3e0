import type { ElementHandle } from "@playwright/test";
import type { BrowserWindow } from "./browser-window.ts";
import type { Control, Look } from "./look.ts";
import type { Person } from "./people.ts";
import { type Chance, textFor } from "./texts.ts";

/** Where the monkey is, and who it is. */
export type Scene = {
  window: BrowserWindow;
  chance: Chance;
  person: Person | null;
  /** How often each control was used. */
  used: Map<string, number>;
  /** Addresses of the app that can be opened. */
  addresses: readonly string[];
};

/** What was done, in short, and what it may lead to. */
export type Done = {
  text: string;
  byKeyboard?: boolean;
  /** A form was sent, left or emptied on purpose. */
  released?: boolean;
  /** Somebody may be signed out, or somebody else in, by their own wish. */
  changesSession?: boolean;
  /** It could not be done: something moved or lay above. */
  skipped?: boolean;
  /** Something changed that this tab need not have heard of. */
  behindIts?: "back" | "others";
  /** Everything was loaded anew. */
  fresh?: boolean;
};

export type Act = (scene: Scene, look: Look) => Promise<Done | null>;

export const CLICK_MS = 2_000;
const RELEASES = /discard|start over|start again|cancel|clear|back|keep|use |remove|withdraw|delete|copy/i;
const ENDS_SESSION = /log ?out|delete my|permanently delete|change password|^login|sign up|google/i;
const RARELY = /log ?out/i;

/** What a control's use may lead to, whether by mouse or by keyboard. */
function effectsOf({ name, place, isSubmit, form, closes }: Control): Partial<Done> {
  const isFormButton = form >= 0 && !closes;
  return {
    ...((isSubmit || isFormButton || place === "question" || RELEASES.test(name)) && { released: true }),
    ...(ENDS_SESSION.test(name) && { changesSession: true }),
    behindIts: "others",
  };
}

/** Uses one of the controls on the screen, rather one that was used less. */
export const useControl: Act = async (scene, look) => {
  const { window, chance, used } = scene;
  const controls = await window.controls();
  const page = look.address.replace(/[\da-f]{24}|\?.*/g, "");
  const keyOf = ({ kind, name }: Control) => `${page} ${kind} ${name}`;
  const weighted = controls.map((control, at) => {
    const times = used.get(keyOf(control)) ?? 0;
    const base = RARELY.test(control.name) ? 0.1 : control.place === "frame" ? 1 : 4;
    return [base / (1 + times) ** 2, at] as const;
  });
  if (weighted.length === 0) return null;
  const at = chance.weighted(weighted);
  const control = controls[at] as Control;
  used.set(keyOf(control), (used.get(keyOf(control)) ?? 0) + 1);
  const element = await window.element(at);
  if (control.kind === "field") return fill(scene, look, control, element);
  if (control.kind === "select") return choose(scene, control, element);
  const text = `click ${control.kind} “${control.name}”`;
  try {
    await element.click({ timeout: CLICK_MS });
  } catch (error) {
    return notDone(text, error);
  }
  return { text, ...effectsOf(control) };
};

/** Fills in a whole form with what mostly fits, and mostly sends it. */
export const fillForm: Act = async (scene, look) => {
  const { window, chance } = scene;
  const controls = await window.controls();
  const forms = [...new Set(controls.filter(({ kind }) => kind === "field").map(({ form }) => form))];
  const form = chance.pick(forms.filter((one) => one >= 0));
  if (form === undefined) return null;
  const texts: string[] = [];
  for (const [at, control] of controls.entries()) {
    if (control.form !== form) continue;
    const element = await window.element(at);
    if (control.kind === "field" && !control.isReadOnly)
      texts.push((await fill(scene, look, control, element)).text);
    else if (control.kind === "select") texts.push((await choose(scene, control, element)).text);
    else if (control.kind === "toggle" && chance.roll() < 0.5) await element.click({ timeout: CLICK_MS });
  }
  // The form may have changed its controls meanwhile.
  const after = await window.controls();
  const send = after.findIndex((one) => one.form === form && one.kind === "button" && one.isSubmit);
  const button = after[send];
  if (!button || chance.roll() < 0.3) return { text: texts.join(", ") };
  await (await window.element(send)).click({ timeout: CLICK_MS });
  return { text: `${texts.join(", ")}, click “${button.name}”`, ...effectsOf(button) };
};

async function fill(scene: Scene, look: Look, control: Control, element: ElementHandle): Promise<Done> {
  const { window, chance, person } = scene;
  const isLogin = look.address.startsWith("/auth/login");
  // Somebody of the demo data must still be there afterwards.
  const mayTell = person && (isLogin || (person.isOwn && chance.roll() < 0.5));
  let text = textFor(control, chance);
  if (mayTell && control.type === "password") text = person.password;
  if (isLogin && person && control.type === "email") text = person.email;
  if (person?.isOwn && control.field === "word") text = "DELETE";
  if (control.isReadOnly) return { text: `look at “${control.name}”` };
  await element.fill(text, { timeout: CLICK_MS });
  if (control.isWork) window.tab.typed.note(look.address, control.id, await element.inputValue());
  return { text: `type ${JSON.stringify(text.slice(0, 30))} in “${control.name}”` };
}

async function choose({ chance }: Scene, { name, options }: Control, element: ElementHandle): Promise<Done> {
  const option = chance.pick(options) ?? "";
  await element.selectOption(option, { timeout: CLICK_MS });
  return { text: `choose ${JSON.stringify(option)} in “${name}”`, behindIts: "others" };
}

const ARROWS = ["ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight", "Home", "End"];

/** Goes on by keyboard: some tabs, and then a key that suits what has the focus. */
export const pressKeys: Act = async ({ window, chance }, look) => {
  const { keyboard } = window.page;
  const tabs = look.isModal ? chance.pick([0, 1, 2]) : chance.pick([0, 1, 2, 5, 9]);
  const back = chance.roll() < 0.3 ? "Shift+" : "";
  for (let count = 0; count < tabs; count++) await keyboard.press(`${back}Tab`);
  const walk = tabs > 0 ? `${back}Tab ×${tabs}, ` : "";
  const control = await window.focused();
  const isText = control?.kind === "field" || control?.kind === "select";
  const hadFocus = (await window.look()).focus !== "";
  const key = chance.weighted([
    [control && control.kind !== "select" ? 4 : 0, "Enter"],
    [control && !isText && control.kind !== "link" ? 2 : 0, "Space"],
    [isText ? 0 : 1.5, chance.pick(ARROWS)],
    [2, "Escape"],
    [1, ""],
  ]);
  if (key) await keyboard.press(key);
  // In a text of several lines Enter adds one, or sends it.
  if (key === "Enter" && control?.type === "textarea" && control.isWork)
    window.tab.typed.note(look.address, control.id, await window.focusedText());
  const effects = control && (key === "Enter" || key === "Space") ? effectsOf(control) : {};
  // Enter in a text field sends its form, or adds a line.
  const sends =
    key === "Enter" && control?.kind === "field"
      ? { released: true, changesSession: /auth|settings/.test(look.address) }
      : {};
  const on = control ? ` on ${control.kind} “${control.name}”` : "";
  return {
    text: `${walk}${key || "nothing"}${on}`,
    byKeyboard: hadFocus && key !== "",
    ...effects,
    ...sends,
  };
};

/** For something that moved away or lay below something else; what it did before that may have had effects. */
export function notDone(text: string, error: unknown): Done {
  const why =
    /<.* intercepts pointer events|not stable|not visible|outside of the viewport|not attached/.exec(
      String(error),
    )?.[0];
  return {
    text: `(not done: ${text}; ${why ?? String(error).split("\n")[0]})`,
    skipped: true,
    released: true,
    changesSession: true,
  };
}
