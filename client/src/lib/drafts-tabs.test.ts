import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { PROFILE_FORM } from "./drafts.ts";

/*
 * Which tab owns a draft. jsdom has neither multiple tabs nor Web Locks: here a tab is a fresh copy of the module with
 * its own session storage, and all tabs share in-memory locks.
 */

type Drafts = typeof import("./drafts.ts");
type Tab = Drafts & {
  /** The contents of its session storage. */
  session: Record<string, string>;
  close(): void;
  /** Restores the page from the back/forward cache. */
  restore(): void;
};

/** The subset of the Web Locks API that drafts use: one holder per lock; requests wait until their signal aborts. */
function fakeLocks() {
  const held = new Set<string>();
  const waiting: (() => void)[] = [];
  return {
    query: async () => ({ held: [...held].map((name) => ({ name })) }),
    async request(name: string, { signal }: { signal: AbortSignal }, work: () => Promise<void>) {
      while (held.has(name))
        await new Promise<void>((resolve, reject) => {
          waiting.push(resolve);
          signal.addEventListener("abort", () => reject(signal.reason));
        });
      held.add(name);
      await work();
      held.delete(name);
      for (const resolve of waiting.splice(0)) resolve();
    },
  };
}

let listeners: { type: string; listener: EventListener }[] = [];

beforeEach(() => {
  Object.defineProperty(navigator, "locks", { value: fakeLocks(), configurable: true });
  const { addEventListener } = window;
  vi.spyOn(window, "addEventListener").mockImplementation(
    (type: string, listener: unknown, options?: unknown) => {
      if (type.startsWith("page")) listeners.push({ type, listener: listener as EventListener });
      else addEventListener.call(window, type, listener as EventListener, options as AddEventListenerOptions);
    },
  );
});
afterEach(() => {
  Reflect.deleteProperty(navigator, "locks");
  listeners = [];
});

let tabCount = 0;

/** Opens a tab; with the session of another one, as a reload or a duplicate of that tab. */
async function openTab(session: Record<string, string> = {}): Promise<Tab> {
  sessionStorage.clear();
  for (const [name, value] of Object.entries(session)) sessionStorage.setItem(name, value);
  listeners = [];
  tabCount += 1;
  // A different URL loads a new copy of the module.
  const drafts = (await import(/* @vite-ignore */ `./drafts.ts?tab=${tabCount}`)) as Drafts;
  await drafts.findDrafts();
  const ownListeners = [...listeners];
  const dispatch = (type: string, persisted: boolean) => {
    const event = Object.assign(new Event(type), { persisted });
    for (const own of ownListeners) if (own.type === type) own.listener(event);
  };
  return {
    ...drafts,
    session: { ...sessionStorage },
    close: () => dispatch("pagehide", false),
    restore: () => dispatch("pageshow", true),
  };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));
const VALUES = { title: "A fox" };

describe("a draft of another tab", () => {
  it("When that tab is open, then each tab has its own draft", async () => {
    const one = await openTab();
    one.writeDraft(one.openDraft("ann", "new"), VALUES);
    const two = await openTab();
    expect(two.readDraft(two.openDraft("ann", "new"))).toBeNull();
    expect(one.readDraft(one.openDraft("ann", "new"))?.values).toEqual(VALUES);
  });

  it("When that tab was closed, then the next one takes over the draft with its metadata, and no other tab does", async () => {
    const one = await openTab();
    const key = one.openDraft("ann", "new");
    one.writeDraft(key, VALUES, { version: 3 });
    const sent: string[] = [];
    const lose = async (idempotencyKey: string) => {
      sent.push(idempotencyKey);
      throw new Error("closed");
    };
    await one.sendOnce(key, lose).catch(() => undefined);
    one.close();
    await settled();
    const two = await openTab();
    const taken = two.openDraft("ann", "new");
    expect(two.readDraft(taken)).toEqual({ values: VALUES, basis: { version: 3 } });
    expect(taken).not.toBe(key);
    expect(two.readDraft(key)).toBeNull();
    // A draft that may have been saved is sent again with the same key.
    await two.sendOnce(taken, lose).catch(() => undefined);
    expect(sent[1]).toBe(sent[0]);
    const three = await openTab();
    expect(three.readDraft(three.openDraft("ann", "new"))).toBeNull();
  });

  it.each([
    ["first", { title: "A fox" }, { title: "A hare" }],
    ["last", { title: "A hare" }, { title: "A fox" }],
  ])(
    "When several tabs were closed, and the one opened %s was edited last, then its draft comes first",
    async (which, newer, older) => {
      const now = vi.spyOn(Date, "now");
      const tabs = [await openTab(), await openTab()];
      for (const [at, tab] of (which === "first" ? tabs.toReversed() : tabs).entries()) {
        now.mockReturnValue(1_000 + at);
        tab.writeDraft(tab.openDraft("ann", "new"), at === 1 ? newer : older);
      }
      for (const tab of tabs) tab.close();
      await settled();
      const next = await openTab();
      const key = next.openDraft("ann", "new");
      expect(next.readDraft(key)?.values).toEqual(newer);
      next.removeDraft(key);
      expect(next.readDraft(next.openDraft("ann", "new"))?.values).toEqual(older);
    },
  );

  it("When it belongs to another person or form, then it is not taken over", async () => {
    const one = await openTab();
    one.writeDraft(one.openDraft("ann", "new"), VALUES);
    one.close();
    await settled();
    const two = await openTab();
    for (const [uid, form] of [
      ["bob", "new"],
      ["ann", PROFILE_FORM],
    ] as const)
      expect(two.readDraft(two.openDraft(uid, form))).toBeNull();
    expect(two.readDraft(two.openDraft("ann", "new"))?.values).toEqual(VALUES);
  });

  it("When this tab already has a draft, then it keeps its own", async () => {
    const one = await openTab();
    one.writeDraft(one.openDraft("ann", "new"), VALUES);
    const two = await openTab();
    two.writeDraft(two.openDraft("ann", "new"), { title: "A hare" });
    one.close();
    await settled();
    await two.findDrafts();
    expect(two.readDraft(two.openDraft("ann", "new"))?.values).toEqual({ title: "A hare" });
  });

  it("When the stored entry is not a valid draft, then nothing is taken over", async () => {
    localStorage.setItem("tasklane.draft.ann.new.gone", "not json");
    const tab = await openTab();
    const key = tab.openDraft("ann", "new");
    expect([tab.readDraft(key), localStorage.getItem(key)]).toEqual([null, null]);
  });
});

describe("a tab", () => {
  it("When it is reloaded, then it keeps its draft", async () => {
    const one = await openTab();
    const key = one.openDraft("ann", "new");
    one.writeDraft(key, VALUES);
    one.close();
    const reloaded = await openTab(one.session);
    expect(reloaded.openDraft("ann", "new")).toBe(key);
    const other = await openTab();
    expect(other.readDraft(other.openDraft("ann", "new"))).toBeNull();
    reloaded.close();
    await settled();
    const next = await openTab();
    expect(next.readDraft(next.openDraft("ann", "new"))?.values).toEqual(VALUES);
  });

  it("When it finds drafts stored by an earlier release, then it opens them under the same keys", async () => {
    const keys = ["new", "profile"].map((form) => `tasklane.draft.ann.${form}.t9`);
    for (const key of keys) localStorage.setItem(key, JSON.stringify({ values: VALUES }));
    const tab = await openTab({ "tasklane.tab": "t9" });
    expect(["new", tab.PROFILE_FORM].map((form) => tab.openDraft("ann", form))).toEqual(keys);
  });

  it("When it is duplicated and has no draft, then the copy does not wait for the other", async () => {
    localStorage.setItem("tasklane.draft.ann.new.other", JSON.stringify({ values: VALUES }));
    const one = await openTab();
    vi.spyOn(AbortSignal, "timeout").mockReturnValue(new AbortController().signal);
    const copy = await openTab(one.session);
    expect(copy.session).not.toEqual(one.session);
  });

  it("When it is duplicated, then the copy starts without a draft, and the original keeps its own", async () => {
    const timeout = vi.spyOn(AbortSignal, "timeout").mockImplementation(() => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 1);
      return controller.signal;
    });
    const one = await openTab();
    const key = one.openDraft("ann", "new");
    one.writeDraft(key, VALUES);
    const copy = await openTab(one.session);
    expect(copy.openDraft("ann", "new")).not.toBe(key);
    expect(copy.readDraft(copy.openDraft("ann", "new"))).toBeNull();
    expect(copy.session).not.toEqual(one.session);
    expect(timeout).toHaveBeenCalledWith(1_000);
    // The copy holds its own lock.
    copy.writeDraft(copy.openDraft("ann", "new"), { title: "A hare" });
    const third = await openTab();
    expect(third.readDraft(third.openDraft("ann", "new"))).toBeNull();
  });

  it("When it is restored from the back/forward cache, then it owns its draft again", async () => {
    const one = await openTab();
    one.writeDraft(one.openDraft("ann", "new"), VALUES);
    one.close();
    await settled();
    one.restore();
    await settled();
    const two = await openTab();
    expect(two.readDraft(two.openDraft("ann", "new"))).toBeNull();
  });

  it("When Web Locks are unavailable, as over plain HTTP, then drafts work, and other tabs' drafts are not taken over", async () => {
    Reflect.deleteProperty(navigator, "locks");
    localStorage.setItem("tasklane.draft.ann.new.other", JSON.stringify({ values: VALUES }));
    const tab = await openTab();
    const key = tab.openDraft("ann", "new");
    expect(tab.readDraft(key)).toBeNull();
    tab.writeDraft(key, VALUES);
    expect((await openTab(tab.session)).openDraft("ann", "new")).toBe(key);
  });

  it("When the browser denies locks, as it does if storage is blocked, then drafts work, and other tabs' drafts are not taken over", async () => {
    const deny = async () => {
      throw new DOMException("denied", "SecurityError");
    };
    Object.defineProperty(navigator, "locks", {
      value: { query: deny, request: deny },
      configurable: true,
    });
    localStorage.setItem("tasklane.draft.ann.new.other", JSON.stringify({ values: VALUES }));
    const tab = await openTab();
    const key = tab.openDraft("ann", "new");
    expect(tab.readDraft(key)).toBeNull();
    tab.writeDraft(key, { title: "A hare" });
    expect(tab.readDraft(key)?.values).toEqual({ title: "A hare" });
  });

  it("When storage is blocked, then a tab still opens", async () => {
    const block = () => {
      throw new DOMException("forbidden", "SecurityError");
    };
    const storage = vi.spyOn(globalThis, "localStorage", "get").mockImplementation(block);
    vi.spyOn(Storage.prototype, "getItem").mockImplementation(block);
    const tab = await openTab();
    expect(tab.readDraft(tab.openDraft("ann", "new"))).toBeNull();
    storage.mockRestore();
  });
});

it("When an account is deleted, then all of that person's drafts in this browser are removed, and nobody else's", async () => {
  const tab = await openTab();
  const keys = [
    tab.openDraft("ann", "new"),
    tab.openDraft("ann", "t1"),
    tab.openDraft("anna", "new"),
  ] as const;
  for (const key of keys) tab.writeDraft(key, VALUES);
  tab.removeDraftsOf("ann");
  expect(keys.map((key) => tab.readDraft(key)?.values)).toEqual([undefined, undefined, VALUES]);
});
