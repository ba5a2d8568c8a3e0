import { type FormEvent, useEffect, useRef } from "react";

/**
 * One submit for one intention: lets the first through and holds back those that come before it is done, a double
 * click's second among them, which arrives before React has rendered that the form is busy.
 * @param idle whether the next one may be sent: nothing is under way, or the last one was refused.
 * @param result of the last submit, new for each.
 */
export function useSingleSubmit(idle: boolean, result: unknown): (event: FormEvent) => void {
  const sending = useRef(false);
  // A new result counts too: a quick answer may arrive without a busy render between.
  useEffect(() => {
    if (idle) sending.current = false;
  }, [idle, result]);
  return (event) => {
    if (sending.current) event.preventDefault();
    sending.current = true;
  };
}
