type Listener = () => void;
/** `connection`: no response comes. `server`: one comes, and says that nothing can be served right now. */
type Trouble = { readonly kind: "connection" | "server"; readonly retryAfter: number | undefined };

let trouble: Trouble | null = null;
const listeners = new Set<Listener>();

/** What the window is told when the API answers again: whoever failed for want of an answer listens for it. */
const REACHABLE = "reachable";

/** Whether the API can be reached, as far as this tab knows from what became of its calls. */
export const reach = {
  /** Null while all is well. `retryAfter`: the seconds that the server asked to wait. */
  trouble: (): Trouble | null => trouble,
  /** A call got no answer, or the answer that nothing can be served now. */
  lost(kind: Trouble["kind"], retryAfter?: number): void {
    if (trouble) return;
    trouble = { kind, retryAfter };
    tell();
  },
  /** The API answers. */
  back(): void {
    if (!trouble) return;
    trouble = null;
    tell();
    window.dispatchEvent(new Event(REACHABLE));
  },
  /** Calls back when `trouble` comes or goes; answers how to stop. */
  subscribe(listener: Listener): Listener {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

function tell(): void {
  for (const listener of [...listeners]) listener();
}
