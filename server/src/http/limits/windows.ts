/** The windows of many keys, of which only so many are remembered. */
export type Windows<W extends { endsAt: number }> = {
  /** The key's window, if it is remembered and not over. */
  find(key: string): W | undefined;
  add(key: string, window: W): void;
  /** Remembers the window until it is over, however many others come: its key has used it up. */
  keep(key: string, window: W): void;
  size(): number;
};

/**
 * Remembers windows in generations: two maps, of which the older one is dropped as a whole when the younger one is full
 * or a window's length old, so nothing is ever searched for what could go. Whoever asks in between moves to the younger
 * one. Windows that are used up have two maps of their own, which only time ends: so no crowd of new keys makes a
 * refusal forgotten. How many those are is limited by itself, since each costs as many requests as the limit says.
 * @param options.most windows that are not used up.
 * @param options.lengthMs of every window.
 */
export function rememberWindows<W extends { endsAt: number }>(options: {
  most: number;
  lengthMs: number;
  now: () => number;
}): Windows<W> {
  const { most, lengthMs, now } = options;
  const open = generations<W>(now());
  const usedUp = generations<W>(now());

  return {
    find(key) {
      const at = now();
      return [usedUp.get(key), open.get(key)].find((window) => window !== undefined && window.endsAt > at);
    },
    add(key, window) {
      const at = now();
      if (open.isFull(most / 2) || open.isOlder(lengthMs, at)) open.next(at);
      open.set(key, window);
    },
    keep(key, window) {
      const at = now();
      if (usedUp.isOlder(lengthMs, at)) usedUp.next(at);
      usedUp.set(key, window);
    },
    size: () => open.size() + usedUp.size(),
  };
}

function generations<V>(begunAt: number) {
  let young = new Map<string, V>();
  let old = new Map<string, V>();
  let youngSince = begunAt;
  return {
    get: (key: string): V | undefined => young.get(key) ?? old.get(key),
    set: (key: string, value: V) => void young.set(key, value),
    isFull: (most: number) => young.size >= most,
    isOlder: (ms: number, now: number) => now - youngSince > ms,
    next(now: number) {
      old = young;
      young = new Map();
      youngSince = now;
    },
    size: () => young.size + old.size,
  };
}
