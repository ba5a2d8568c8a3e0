import { ObjectId } from "mongodb";
import { expect, test, vi } from "vitest";
import { aNotificationDoc } from "../../../test/builders.ts";
import { TokenRejected, VerifierUnavailable } from "../../auth/token-verifier.ts";
import type { Change } from "../../db/change-feed.ts";
import type { NotificationDoc } from "../../db/documents/notifications.ts";
import type { EventStream } from "../../http/event-stream.ts";
import { liveHub } from "./live-hub.ts";

type Sent = { event: string; data: unknown };

/** A stream that records what is sent. */
function recordingStream() {
  const sent: Sent[] = [];
  const callbacks: (() => void)[] = [];
  let isOpen = true;
  const stream: EventStream = {
    send: (event, data) => void sent.push({ event, data }),
    beat: () => void sent.push({ event: "beat", data: null }),
    drained: async () => undefined,
    get isOpen() {
      return isOpen;
    },
    close() {
      isOpen = false;
      for (const callback of callbacks) callback();
    },
    onClose: (callback) => void callbacks.push(callback),
  };
  return { stream, sent, of: (kind: string) => sent.filter(({ event }) => event === kind) };
}

function aHub(after: () => Promise<NotificationDoc[]> = async () => [], verifyMs = 60_000) {
  const clock = { now: new Date("2026-06-01T23:59:59Z") };
  let emit: (change: Change | undefined) => void = () => undefined;
  const hub = liveHub({
    changes: {
      isLive: () => true,
      onChange(listener) {
        emit = listener;
        return () => undefined;
      },
    },
    store: { after, countUnread: async () => 0 },
    conversations: { countUnread: async () => 0, live: async () => null },
    readTask: async (taskId) => ({
      ownerId: "ada",
      hidden: false,
      event: {
        taskId,
        bidsCount: 0,
        bidsRevision: 0,
        questionsRevision: 0,
        state: clock.now < new Date("2026-06-02") ? "open" : "expired",
        version: 0,
      },
    }),
    now: () => clock.now,
    log: { warn: () => undefined },
    timing: { heartbeatMs: 20, waitMs: 1, verifyMs },
  });
  const user = {
    uid: "ada",
    name: "Ada",
    email: "ada@people.example",
    loggedInAt: clock.now,
    tokenExpiresAt: new Date(clock.now.getTime() + 3_600_000),
  };
  const reader = { user, address: "192.0.2.1", verify: async () => undefined };
  return { hub, reader, clock, emit: (change?: Change) => emit(change) };
}

const notice = (seconds: number, taskTitle: string) =>
  aNotificationDoc({ _id: ObjectId.createFromTime(seconds), recipientId: "ada", taskTitle });

test("When a notification arrives before the count of unread ones was read, then a new stream still begins with that count", async () => {
  const { hub, reader, emit } = aHub();
  const { stream, sent, of } = recordingStream();
  hub.open(stream, { ...reader });
  emit({ collection: "notifications", operation: "insert", notification: notice(1_000, "just before") });
  await vi.waitUntil(() => of("unread").length > 0 && of("notification").length > 0, { timeout: 5_000 });
  const [first, second] = sent.filter(({ event }) => event !== "beat");
  expect([first?.event, second?.event]).toEqual(["unread", "notification"]);
  hub.close();
});

test("When nothing happens, then the stream still sends heartbeats, and at midnight a task that expires is sent as expired", async () => {
  const { hub, reader, clock } = aHub();
  const { stream, sent, of } = recordingStream();
  hub.open(stream, { ...reader, taskId: "a".repeat(24) });
  await expect.poll(() => of("beat").length).toBeGreaterThan(2);
  expect(of("task")).toHaveLength(1);
  clock.now = new Date("2026-06-02T00:00:01Z");
  await expect.poll(() => of("task").at(-1)?.data).toMatchObject({ state: "expired" });
  expect(of("task")).toHaveLength(2);
  hub.close();
  expect(stream.isOpen).toBe(false);
  const before = sent.length;
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(sent).toHaveLength(before);
});

test("When a notification arrives while earlier ones are being resent, then it is sent after them, and once", async () => {
  let response: (docs: NotificationDoc[]) => void = () => undefined;
  const { hub, reader, emit } = aHub(() => new Promise((resolve) => (response = resolve)));
  const { stream, of } = recordingStream();
  const [early, both, late] = [notice(1_000, "early"), notice(1_001, "both"), notice(1_002, "late")];
  hub.open(stream, { ...reader, lastEventId: ObjectId.createFromTime(990) });
  for (const notification of [late, both])
    emit({ collection: "notifications", operation: "insert", notification });
  expect(of("notification")).toEqual([]);
  response([early, both]);
  await expect.poll(() => of("notification").length).toBe(3);
  expect(of("notification").map(({ data }) => (data as { taskTitle: string }).taskTitle)).toEqual([
    "early",
    "both",
    "late",
  ]);
  hub.close();
});

test("When more notifications arrive meanwhile than may wait, then the stream is closed, so that its reader reconnects for all of them", async () => {
  const { hub, reader, emit } = aHub(() => new Promise(() => undefined));
  const { stream } = recordingStream();
  hub.open(stream, { ...reader, lastEventId: ObjectId.createFromTime(990) });
  for (let number = 0; number < 501; number++)
    emit({ collection: "notifications", operation: "insert", notification: notice(1_000 + number, "x") });
  expect(stream.isOpen).toBe(false);
  hub.close();
});

test("When a session has ended, then only its stream is closed at the next verification; an outage of the provider closes none", async () => {
  const { hub, reader } = aHub(undefined, 20);
  const [ended, valid, unverified] = [recordingStream(), recordingStream(), recordingStream()];
  let verifications = 0;
  let session: "valid" | "ended" = "valid";
  hub.open(ended.stream, {
    ...reader,
    verify: async () => {
      if (session === "ended") throw new TokenRejected("disabled");
    },
  });
  hub.open(valid.stream, { ...reader, verify: async () => void verifications++ });
  const unavailable = async () => {
    throw new VerifierUnavailable("down");
  };
  hub.open(unverified.stream, { ...reader, verify: unavailable });
  await expect.poll(() => verifications).toBeGreaterThan(1);
  expect(ended.stream.isOpen).toBe(true);
  session = "ended";
  await expect.poll(() => ended.stream.isOpen).toBe(false);
  expect([valid.stream.isOpen, unverified.stream.isOpen]).toEqual([true, true]);
  hub.close();
});

test("When many people on one network follow, then sixty streams may open, six of each person; other networks are not affected", () => {
  const { hub, reader } = aHub();
  const request = (person: number, address = "192.0.2.1") => ({
    ...reader,
    address,
    user: { ...reader.user, uid: `person-${person}` },
  });
  let opened = 0;
  const first = recordingStream();
  for (let person = 0; person < 20; person++)
    for (let tab = 0; tab < 7; tab++) {
      if (!hub.hasRoom(request(person))) continue;
      hub.open(opened === 0 ? first.stream : recordingStream().stream, request(person));
      opened++;
    }
  expect(opened).toBe(60);
  expect(hub.hasRoom(request(11))).toBe(false);
  expect(hub.hasRoom(request(0, "198.51.100.7"))).toBe(false);
  expect(hub.hasRoom(request(11, "198.51.100.7"))).toBe(true);
  first.stream.close();
  expect(hub.hasRoom(request(11))).toBe(true);
  hub.close();
  expect(hub.hasRoom(request(0))).toBe(true);
});
