import { type ReactNode, useEffect, useState } from "react";
import { createPortal } from "react-dom";

const boxes = new Set<HTMLElement>();

/**
 * Keeps its children perceivable and usable while modal dialogs are open: everything outside of the topmost one is inert,
 * so they move into it, without being rendered anew.
 */
export function AboveDialogs({ children }: { children: ReactNode }) {
  const [box, setBox] = useState<HTMLElement>();
  useEffect(() => {
    const { element, remove } = boxAboveDialogs();
    setBox(element);
    return remove;
  }, []);
  return box && createPortal(children, box);
}

/** A new element that is moved like {@link AboveDialogs}, for what React does not render. */
export function boxAboveDialogs() {
  const element = document.createElement("div");
  // In the flow it would be a row of the dialog's grid, and the dialog's box would no longer be in its place.
  element.className = "absolute";
  boxes.add(element);
  moveAboveDialogs();
  const remove = () => {
    boxes.delete(element);
    element.remove();
  };
  return { element, remove };
}

/** Call this after a modal dialog was opened, and before one is closed or removed (`closing`). */
export function moveAboveDialogs(closing?: HTMLDialogElement): void {
  const open = [...document.querySelectorAll<HTMLDialogElement>("dialog[open]")];
  const top = open.findLast((dialog) => dialog !== closing) ?? document.body;
  for (const box of boxes) if (box.parentElement !== top) top.append(box);
}
