import type { createMemoryRouter } from "react-router-dom";
import type { Session } from "../auth/session.ts";
import type { Answer } from "../lib/api.ts";
import type { Entry, Memory } from "../lib/memory.ts";
import { FRESH_MS } from "../lib/read-ahead.ts";

type Router = ReturnType<typeof createMemoryRouter>;

/**
 * Back and forward are answered from memory (see main.tsx): the page stands as it was, at its place, before anything is
 * asked of the API. Here it is asked what has changed since. Another person's memory is forgotten.
 */
export function keepCurrent(router: Router, memory: Memory, session: Session): void {
  router.subscribe(({ navigation }) => {
    if (navigation.state === "idle") memory.recalling = false;
  });
  // Not before: the router would take the scroll position of the page that is still on the screen for this one's.
  window.addEventListener("shown", () => {
    if (memory.recalled.size > 0) void takeWhatChanged(router, memory);
  });

  const personOf = ({ user, loading } = session.getState()) => (loading ? undefined : (user?.uid ?? null));
  let known = personOf();
  session.subscribe(() => {
    const now = personOf();
    if (now === undefined || now === known) return;
    if (known !== undefined) memory.forget();
    known = now;
  });
}

async function takeWhatChanged(router: Router, memory: Memory): Promise<void> {
  const entries = [...memory.recalled];
  const here = router.state.location.key;
  memory.recalled.clear();
  const changes = await Promise.all(entries.map((entry) => refresh(memory, entry)));
  const { navigation, location } = router.state;
  // Whoever has gone on meanwhile needs nothing of it.
  if (changes.includes(true) && navigation.state === "idle" && location.key === here)
    await router.revalidate();
}

/** Answers whether this is not as it was; the loaders then find the new answer in memory. */
async function refresh(memory: Memory, entry: Entry): Promise<boolean> {
  const { signal: _, ...options } = entry.options;
  try {
    const before = textOf(await entry.answer);
    const fresh = await memory.ask(entry.path, options);
    entry.answer = Promise.resolve(fresh);
    entry.freshUntil = Date.now() + FRESH_MS;
    return textOf(fresh) !== before;
  } catch (error) {
    // Without an answer the old one stays. A refusal is news: the page asks again and says so.
    const { status = 0 } = error as { status?: number };
    const refused = status >= 400 && status < 500;
    if (!refused) entry.freshUntil = Date.now() + FRESH_MS;
    return refused;
  }
}

function textOf({ data, headers }: Answer<unknown>): string {
  return JSON.stringify([data, headers.get("Link"), headers.get("X-Total-Count")]);
}
