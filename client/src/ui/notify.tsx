import { type ReactElement, useEffect } from "react";
import { createRoot } from "react-dom/client";
import { useLocation } from "react-router-dom";
import type { Id, ToastOptions } from "react-toastify";
import { lazyModule } from "./lazy-module.ts";
import { useOnReconnect } from "./use-reconnect.ts";

type Options = Pick<ToastOptions, "autoClose" | "position"> & {
  /** A newer toast of the same topic replaces this one. */
  topic?: string;
};

const idsByTopic = new Map<string, Id>();
const errors = new Set<Id>();

/**
 * Shows a toast: by default for 5000 ms at the bottom left, away from titles, forms and panels. The library is loaded
 * on first use and queues toasts until `ToastArea` has rendered its container.
 */
export const notify = {
  success: (text: string | ReactElement, options?: Options) => show("success", text, options),
  error: (text: string | ReactElement, options?: Options) => show("error", text, options),
  info: (text: string | ReactElement, options?: Options) => show("info", text, options),
  /** Removes the toast of a topic that is no longer true. */
  dismiss(topic: string): void {
    if (!idsByTopic.has(topic)) return;
    load().then(
      (toast) => close(toast, topic),
      // Without the library there is only the plain toast, which disappears by itself.
      () => undefined,
    );
  },
};

function show(
  kind: "success" | "error" | "info",
  text: string | ReactElement,
  { topic, ...options }: Options = {},
): void {
  if (topic && !idsByTopic.has(topic)) idsByTopic.set(topic, "");
  load().then(
    (toast) => {
      if (topic) close(toast, topic);
      // Wrapped, because a toast lays out its children side by side.
      const content = typeof text === "string" ? text : <div className="min-w-0 wrap-anywhere">{text}</div>;
      const id = toast[kind](content, { position: "bottom-left", ...options });
      if (topic) idsByTopic.set(topic, id);
      // Errors about the session stay when the page changes, since they may have caused the change.
      if (kind === "error" && topic !== "session") errors.add(id);
    },
    () => showPlainToast(text),
  );
}

async function load() {
  return (await import("./toast-container.tsx")).toast;
}

function close(toast: Awaited<ReturnType<typeof load>>, topic: string): void {
  const id = idsByTopic.get(topic);
  // Without an id, `dismiss` would remove all toasts.
  if (id) toast.dismiss(id);
  idsByTopic.delete(topic);
}

const PLAIN_TOAST_MS = 8_000;

/** A toast without the library, for when its code failed to load. */
function showPlainToast(text: string | ReactElement): void {
  const message = document.createElement("div");
  message.setAttribute("role", "alert");
  message.className = "alert fixed right-4 bottom-24 z-50 max-w-sm shadow-lift";
  document.body.append(message);
  createRoot(message).render(text);
  window.setTimeout(() => message.remove(), PLAIN_TOAST_MS);
}

/** Removes errors about failed attempts, which are outdated on another page or a restored connection. */
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

/** The container of toasts, loaded when the page is idle. */
export function ToastArea() {
  const toasts = useToasts();
  const { pathname } = useLocation();
  useEffect(() => dismissErrors, [pathname]);
  useOnReconnect(dismissErrors);
  return toasts ? <toasts.Toasts /> : null;
}
