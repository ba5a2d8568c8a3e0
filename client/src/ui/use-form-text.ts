import { useEffect, useEffectEvent, useRef, useState } from "react";

/**
 * A text that depends on what is typed in a form. `box` belongs on an element within the form.
 * @param textFor computes it from the form's current values.
 */
export function useFormText<E extends HTMLElement>(textFor: (values: FormData) => string) {
  const box = useRef<E>(null);
  const [text, setText] = useState("");
  const check = useEffectEvent(() => {
    const form = box.current?.closest("form");
    if (form) setText(textFor(new FormData(form)));
  });
  useEffect(() => {
    const form = box.current?.closest("form");
    form?.addEventListener("input", check);
    return () => form?.removeEventListener("input", check);
  }, []);
  // The form may change the values without an input event, so check after every render too.
  useEffect(() => check());
  return { box, text };
}
