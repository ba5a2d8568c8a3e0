import { type ReactElement, useEffect } from "react";
import { createRoot } from "react-dom/client";
import { useLocation } from "react-router-dom";
import type { Id, ToastOptions } from "react-toastify";
import { lazyModule } from "./lazy-module.ts";
import { useOnReconnect } from "./use-reconnect.ts";

type Options = Pick<ToastOptions, "autoClose" | "position"> & {
  /** What it is about: a newer toast of the same topic takes its place. */
  topic?: string;
};

const shown = new Map<string, Id>();
const errors = new Set<Id>();

/**
 * Every toast goes through here: for 5000 ms, and at the bottom left, away from titles, forms and panels, unless told
 * otherwise. The library is loaded on first use; the toast area in the layout shows what came before it was there.
 */
export const notify = {
  success: (text: string | ReactElement, options?: Options) => show("success", text, options),
  error: (text: string | ReactElement, options?: Options) => show("error", text, options),
  info: (text: string | ReactElement, options?: Options) => show("info", text, options),
  /** Removes the toast of a topic that is no longer true. */
  dismiss(topic: string): void {
    if (!shown.has(topic)) return;
    load().then(
      (toast) => close(toast, topic),
      // Without the library there is only the plain toast, which goes by itself.
      () => undefined,
    );
  },
};

function show(
  kind: "success" | "error" | "info",
  text: string | ReactElement,
  { topic, ...options }: Options = {},
): void {
  if (topic && !shown.has(topic)) shown.set(topic, "");
  load().then(
    (toast) => {
      if (topic) close(toast, topic);
      // A toast lays its children out side by side.
      const said = typeof text === "string" ? text : <div className="min-w-0 wrap-anywhere">{text}</div>;
      const id = toast[kind](said, { position: "bottom-left", ...options });
      if (topic) shown.set(topic, id);
      // What went wrong with the session may be what led to another page.
      if (kind === "error" && topic !== "session") errors.add(id);
    },
    () => showPlainly(text),
  );
}

async function load() {
  return (await import("./toast-container.tsx")).toast;
}

function close(toast: Awaited<ReturnType<typeof load>>, topic: string): void {
  const id = shown.get(topic);
  // Without an id, all would go.
  if (id) toast.dismiss(id);
  shown.delete(topic);
}

/** Removes the toast about an earlier try as soon as the next one is on its way. */
export function useDismissOnSubmit(topic: string, { state }: { state: string }): void {
  useEffect(() => {
    if (state === "submitting") notify.dismiss(topic);
  }, [topic, state]);
}

const PLAIN_MS = 8_000;

/** A toast without the library, for when its code did not arrive. */
function showPlainly(text: string | ReactElement): void {
  const message = document.createElement("div");
  message.setAttribute("role", "alert");
  message.className = "alert fixed right-4 bottom-24 z-50 max-w-sm shadow-lift";
  document.body.append(message);
  createRoot(message).render(text);
  window.setTimeout(() => message.remove(), PLAIN_MS);
}

/** Removes what is said about failed tries, which another page or a new connection makes untrue. */
function dismissErrors(): void {
  if (errors.size === 0) return;
  load().then(
    (toast) => {
      for (const id of errors) toast.dismiss(id);
      errors.clear();
    },
    () => undefined,
  );
}

const useToasts = lazyModule(() => import("./toast-container.tsx"), { idle: true });

/** Where toasts appear. Loaded after the page is shown: a toast never comes first. */
export function ToastArea() {
  const toasts = useToasts();
  const { pathname } = useLocation();
  useEffect(() => dismissErrors, [pathname]);
  useOnReconnect(dismissErrors);
  return toasts ? <toasts.Toasts /> : null;
}
