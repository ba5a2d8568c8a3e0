import type { QueryClient } from "@tanstack/react-query";
import type { Conversation, Message, MessageDraft } from "@tasklane/server/contract";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { setLive } from "../../lib/live.ts";
import { ApiProblem, notSignedInProblem, offlineProblem } from "../../lib/problem.ts";
import { aMe, ID as TASK } from "../../testing/builders.ts";
import { type Call, Reply } from "../../testing/fake-api.ts";
import { openApp } from "../../testing/open-app.tsx";
import { uploads } from "../files/upload.tsx";
import { receive as deliver } from "../notifications/live-stream.tsx";

const ID = "c".repeat(24);
const LIST = "/dash/messages";
const FILE = { _id: "f".repeat(24), name: "brief.txt", size: 5, type: "text/plain" };

function aMessage(number: number, fields: Partial<Message> = {}): Message {
  return {
    _id: number.toString(16).padStart(24, "0"),
    number,
    mine: false,
    text: `Message ${number}`,
    createdAt: `2026-01-01T00:${String(number % 60).padStart(2, "0")}:00.000Z`,
    ...fields,
  };
}

/** Opens a conversation of that many messages. */
function open(count: number, fields: Partial<Conversation> = {}, address = `${LIST}/${ID}`) {
  const world = {
    messages: Array.from({ length: count }, (_, at) => aMessage(at + 1)),
    conversation: {
      _id: ID,
      task: { _id: TASK, title: "A logo", state: "awarded" },
      role: "freelancer",
      other: { id: "clara", name: "Clara Client" },
      ...{ count, unread: 0, seenByOther: 0, createdAt: "2026-01-01T00:00:00.000Z" },
      ...fields,
    } as Conversation,
  };
  const change = (fields: Partial<Conversation>) => {
    world.conversation = { ...world.conversation, ...fields };
  };
  const add = (message: Message) => {
    world.messages.push(message);
    change({ count: message.number, last: message });
    return message;
  };
  const app = openApp(address, {
    "GET /me": () =>
      aMe({ emailAvailable: false, unreadConversations: Number(world.conversation.unread > 0) }),
    "GET /me/conversations": ({ query }) =>
      [TASK, undefined].includes(query["task"]) ? [world.conversation] : [],
    "GET /me/conversations/:id": () => world.conversation,
    "GET /files/:id": { state: "ready", name: FILE.name, file: FILE },
    "POST /me/conversations/:id/seen": () => change({ unread: 0 }),
    "PATCH /me/conversations/:id/block": ({ body }) =>
      change({ closed: (body as { blocked: boolean }).blocked ? "you-blocked" : undefined }),
    "POST /me/conversations/:id/messages": ({ body }) => {
      const { files = [], ...written } = body as MessageDraft;
      const attached = files.length > 0 && { files: [FILE] };
      return add(aMessage(world.conversation.count + 1, { mine: true, ...written, ...attached }));
    },
    "GET /me/conversations/:id/messages": ({ query }: Call) => {
      const before = Number(query["cursor"] ?? Number.POSITIVE_INFINITY);
      const { search = "" } = query;
      const found = world.messages
        .filter(({ number, text }) => number < before && (text ?? "").includes(search))
        .reverse();
      const page = found.slice(0, Number(query["limit"]));
      const next = `<x?cursor=${page.at(-1)?.number}>; rel="next"`;
      return new Reply(page, found.length > page.length ? { Link: next } : {});
    },
  });
  const sent = () => app.writes().filter(({ path }) => path.endsWith("/messages"));
  const send = async (text: string) => {
    await app.user.click(await field());
    await app.user.paste(text);
    await app.press(/^Send/);
  };
  return { ...app, world, change, add, sent, send };
}

/** Delivers events to the page. */
const receive = (queryClient: QueryClient, ...conversations: number[]) =>
  act(async () => {
    for (const count of conversations) deliver(queryClient, "unread", { unread: 0, conversations: count });
    deliver(queryClient, "conversation", { conversationId: ID });
  });

const field = () => screen.findByLabelText("Message");
const log = async () => within(await screen.findByRole("log", { name: "Messages" }));

it("When a message is sent, then it is appended with its status, and the field is cleared and has the focus", async () => {
  const { change, send, queryClient } = open(1);
  await send("When do we begin?");
  expect(await (await log()).findByText("When do we begin?")).toBeVisible();
  expect((await log()).getByText(/Sent/)).toBeVisible();
  await waitFor(() => expect(screen.getByLabelText("Message")).toHaveValue(""));
  expect(screen.getByLabelText("Message")).toHaveFocus();
  change({ seenByOther: 2 });
  await receive(queryClient);
  await (await log()).findByText(/Seen/);
});

/** Fakes uploads: each file arrives at once, with the id of its turn. */
function fakeUploads(...ids: string[]) {
  vi.spyOn(uploads, "start").mockImplementation((_file, { onDone }) => {
    queueMicrotask(() => onDone(ids.shift() ?? ""));
    return { cancel: vi.fn(), retry: vi.fn() };
  });
}

it("When a message with a file was sent, then the file is no longer attached when the conversation is opened again", async () => {
  fakeUploads(FILE._id);
  const { user, send, sent, goTo } = open(1);
  await user.upload(await screen.findByLabelText("Attach files"), new File(["brief"], FILE.name));
  await screen.findByRole("button", { name: "Remove brief.txt" });
  await send("Here it is.");
  await (await log()).findByText("Here it is.");
  expect(sent()[0]?.body).toMatchObject({ files: [FILE._id] });
  await waitFor(() => expect(screen.queryByRole("button", { name: "Remove brief.txt" })).toBeNull());
  await goTo(LIST);
  await screen.findByText("Choose a conversation to read it.");
  await goTo(`${LIST}/${ID}`);
  expect(await field()).toHaveValue("");
  expect(screen.queryByRole("list", { name: "Attached files" })).toBeNull();
});

it("When a file is attached while a message is being sent, then it stays for the next one", async () => {
  const next = "e".repeat(24);
  fakeUploads(FILE._id, next);
  const { user, press, send, sent, server } = open(1);
  const attach = async () =>
    user.upload(await screen.findByLabelText("Attach files"), new File(["brief"], FILE.name));
  const attached = (count: number) =>
    waitFor(() => expect(screen.queryAllByRole("button", { name: "Remove brief.txt" })).toHaveLength(count));
  await attach();
  await attached(1);
  const arrive = server.hold("POST /me/conversations/:id/messages");
  await send("Here it is.");
  await attach();
  await attached(2);
  arrive();
  await (await log()).findByText("Here it is.");
  await attached(1);
  await press("Send");
  await waitFor(() => expect(sent()[1]?.body).toEqual({ text: "", files: [next] }));
  await attached(0);
});

it("When reloading after a message is slow, then the next one can be sent meanwhile", async () => {
  const { server, sent, send } = open(1);
  await field();
  server.hold("GET /me/conversations");
  for (const text of ["When do we begin?", "Monday?"]) {
    await send(text);
    await (await log()).findByText(text);
  }
  expect(sent()).toHaveLength(2);
});

it("When the response to a message is lost and its text is edited, then the edited text is sent as another message", async () => {
  const { press, server, world, send } = open(1);
  server.loses = offlineProblem();
  await send("Hello");
  await screen.findByText(/Not sent\. We can't reach Tasklane/);
  server.loses = undefined;
  await send(" again");
  await screen.findByText("Not sent. Sent before.");
  await press("Send again");
  await screen.findByText("Hello again", { selector: "p" });
  expect(world.messages.map(({ text }) => text)).toEqual(["Message 1", "Hello", "Hello again"]);
});

it("When a conversation is opened again while a message is being sent, then it is sent only once and not left in the field", async () => {
  const { press, server, world, goTo, sent, send } = open(1);
  const arrive = server.hold("POST /me/conversations/:id/messages");
  await send("Hello");
  await goTo(LIST);
  await screen.findByText("Choose a conversation to read it.");
  await goTo(`${LIST}/${ID}`);
  // What was typed is still there.
  expect(await field()).toHaveValue("Hello");
  expect(screen.getByRole("button", { name: "Sending…" })).toHaveAttribute("aria-disabled", "true");
  await press("Sending…");
  arrive();
  await (await log()).findByText("Hello");
  await waitFor(() => expect(screen.getByLabelText("Message")).toHaveValue(""));
  expect(world.messages.map(({ text }) => text)).toEqual(["Message 1", "Hello"]);
  expect(sent()).toHaveLength(1);
  await send("Another");
  await waitFor(() => expect(sent()).toHaveLength(2));
});

it("When Enter is pressed on a phone, then it starts a new line and sends nothing", async () => {
  const { user, press, sent } = open(0);
  await press("Send");
  await screen.findByText(/Message is required/);
  expect(screen.getByRole("button", { name: "Send" })).toBeVisible();
  await user.type(await field(), "One{Enter}Two");
  expect(sent()).toEqual([]);
  expect(screen.getByLabelText("Message")).toHaveValue("One\nTwo");
});

it("When there is a keyboard, then Enter sends, but not with Shift or in Safari's input method, and the hint says so", async () => {
  const { matchMedia } = window;
  vi.spyOn(window, "matchMedia").mockImplementation((media) => ({
    ...matchMedia(media),
    matches: media.includes("fine"),
  }));
  const { user, sent } = open(0);
  expect(await field()).toHaveAccessibleDescription(/Enter sends/);
  await user.type(await field(), "日本");
  // Confirms the text of the input method.
  fireEvent.keyDown(await field(), { key: "Enter", keyCode: 229 });
  await user.type(await field(), "{Shift>}{Enter}{/Shift}語{Enter}");
  await waitFor(() => expect(sent().map(({ body }) => body)).toEqual([{ text: "日本\n語", files: [] }]));
});

it("When a message arrives, then it is shown immediately and marked as seen, and the title counts it until then", async () => {
  const { writes, change, add, queryClient } = open(1);
  await field();
  change({ unread: 1 });
  add(aMessage(2, { text: "Are you there?" }));
  await receive(queryClient, 1);
  await waitFor(() => expect(document.title).toMatch(/^\(1\) /));
  const badge = within(screen.getByRole("navigation", { name: "Dashboard" }));
  expect(badge.getByRole("link", { name: /Messages 1 unread/, hidden: true })).toBeVisible();
  await (await log()).findByText("Are you there?");
  await waitFor(() => expect(writes().at(-1)?.body).toEqual({ number: 2 }));
  await receive(queryClient, 0);
  await waitFor(() => expect(document.title).toBe("Messages with Clara Client | Tasklane"));
});

it("When a message arrives while earlier ones are being read, then it is marked as seen only at the end, where a button leads", async () => {
  const { user, writes, change, add, queryClient } = open(1);
  const list = await log();
  await list.findByText("Message 1");
  const box = screen.getByRole("log");
  vi.spyOn(box, "scrollHeight", "get").mockReturnValue(1_000);
  vi.spyOn(box, "clientHeight", "get").mockReturnValue(300);
  fireEvent.scroll(box);
  expect(screen.queryByRole("button", { name: "New messages" })).toBeNull();
  change({ unread: 1 });
  add(aMessage(2));
  await receive(queryClient, 1);
  await list.findByText("Message 2");
  const button = await screen.findByRole("button", { name: "New messages" });
  expect(writes()).toEqual([]);
  box.scrollTop = 0;
  await user.click(button);
  await waitFor(() => expect(writes().at(-1)?.body).toEqual({ number: 2 }));
  expect(box).toHaveFocus();
  expect(screen.queryByRole("button", { name: "New messages" })).toBeNull();
});

it("When somebody goes from a public page to the dashboard, then the unread count is kept", async () => {
  const { goTo, queryClient } = open(1, {}, "/about");
  // Loaded lazily.
  await screen.findByRole("button", { name: /account menu/ });
  await receive(queryClient, 2);
  await waitFor(() => expect(document.title).toMatch(/^\(2\) /));
  await goTo(LIST);
  await screen.findByRole("navigation", { name: "Dashboard" });
  await screen.findByRole("button", { name: /account menu, 2 unread conversations/ });
  await waitFor(() => expect(document.title).toMatch(/^\(2\) /));
});

it("When a conversation is long, then the last messages load first and earlier ones on request, each once", async () => {
  const { press, add, queryClient } = open(70);
  const list = await log();
  expect(list.queryByText("Message 40")).toBeNull();
  await press("Show earlier messages", list);
  await list.findByText("Message 40");
  add(aMessage(71));
  await receive(queryClient);
  await list.findByText("Message 71");
  const setAttribute = vi.spyOn(screen.getByRole("log"), "setAttribute");
  await press("Show earlier messages", list);
  await list.findByText("Message 1");
  expect(list.getAllByText(/^Message \d+$/)).toHaveLength(71);
  // They are not announced, and the focus stays without scrolling to the first of them.
  expect(setAttribute).toHaveBeenCalledWith("aria-live", "off");
  expect(screen.getByRole("log")).toHaveFocus();
  expect(list.queryByRole("button", { name: "Show earlier messages" })).toBeNull();
});

it("When more than one page of messages was missed, then the list starts again from the newest page", async () => {
  const { add, queryClient } = open(5);
  await field();
  for (let number = 6; number <= 50; number++) add(aMessage(number));
  await receive(queryClient);
  const list = await log();
  await list.findByText("Message 50");
  expect(list.queryByText("Message 5")).toBeNull();
  expect(list.getByRole("button", { name: "Show earlier messages" })).toBeVisible();
});

it("When a conversation is searched, then only the messages with that text are shown, until the search is closed", async () => {
  const { user, choose, press, send } = open(14);
  await screen.findByText("Message 14");
  await choose("More for Clara Client", "Search messages");
  const field = screen.getByRole("searchbox", { name: "Search messages" });
  expect(field).toHaveFocus();
  // Copied text can have invisible marks, which the API refuses.
  await user.type(field, "\u2068Message 1\u2069 {Enter}");
  await screen.findByText("6 messages with “Message 1”");
  expect(screen.queryByText("Message 2")).toBeNull();
  await user.clear(field);
  await user.type(field, "wolf{Enter}");
  await screen.findByText("No message contains “wolf”.");
  await press("Close search");
  expect(await screen.findByText("Message 2")).toBeVisible();
  await choose("More for Clara Client", "Search messages");
  // Prevented, because the browser would also close a dialog around it.
  expect(fireEvent.keyDown(screen.getByRole("searchbox"), { key: "Escape" })).toBe(false);
  expect(await screen.findByText("Message 2")).toBeVisible();
  await choose("More for Clara Client", "Search messages");
  await send("Found it.");
  expect(await (await log()).findByText("Found it.")).toBeVisible();
});

it("When somebody blocks the other side, then they confirm first, nobody can write, and unblocking restores that", async () => {
  const { choose, press } = open(1);
  await choose("More for Clara Client", "Block");
  await press("Block");
  await screen.findByText(/You have blocked Clara Client/);
  expect(screen.queryByLabelText("Message")).toBeNull();
  await press("Unblock");
  expect(await field()).toBeVisible();
});

it.each([
  ["blocked-you", /Clara Client does not accept messages from you/],
  ["ended", /ended more than 30 days ago/],
  ["left", /deleted their account/],
] as const)(
  "When a conversation is closed (%s), then the reason is shown and the messages can still be read",
  async (closed, text) => {
    open(1, { closed });
    await screen.findByText(text);
    expect(screen.getByText("Message 1")).toBeVisible();
    expect(screen.queryByRole("button", { name: "Send" })).toBeNull();
  },
);

it("When the other side deletes their account while the conversation is open, then their messages disappear", async () => {
  const { world, change, queryClient } = open(1);
  await screen.findByText("Message 1");
  const { text, ...erased } = aMessage(1);
  world.messages = [erased];
  change({ closed: "left", other: { name: "Former member" } });
  await receive(queryClient);
  await waitFor(() => expect(screen.queryByText("Message 1")).toBeNull());
});

it("When My Bids links to a task's conversation, then that opens; without one, the list does", async () => {
  const { goTo, address } = open(1, {}, `${LIST}?task=${TASK}`);
  await field();
  expect(address()).toBe(`${LIST}/${ID}`);
  await goTo(`${LIST}?task=${"f".repeat(24)}`);
  await screen.findByText("Choose a conversation to read it.");
});

it("When messages are reported, then the report names the conversation", async () => {
  const { user, choose, press, writes } = open(1);
  await choose("More for Clara Client", "Report");
  await user.selectOptions(screen.getByLabelText("Reason"), "Fraud or a scam");
  await press("Send report");
  const report = { taskId: TASK, conversationId: ID, reason: "fraud", text: "" };
  await waitFor(() => expect(writes().find(({ path }) => path === "/reports")?.body).toEqual(report));
});

it("When a conversation is not theirs, then it is not found; without any, the page links to tasks and bids", async () => {
  const server = openApp(`${LIST}/${ID}`, {
    "GET /me/conversations/:id": () => {
      throw new ApiProblem("conversation-not-found", 404, "This conversation does not exist.");
    },
  });
  await screen.findByRole("heading", { name: "Conversation not found" });
  await server.goTo(LIST);
  await screen.findByRole("heading", { name: "No messages yet" });
  for (const name of ["My Posted Tasks", "My Bids"])
    expect(within(screen.getByRole("main")).getByRole("link", { name })).toBeVisible();
});

it("When a conversation is opened after the session has expired, then login leads back to it", async () => {
  const { user, server, address } = open(1, {}, LIST);
  const link = await screen.findByRole("link", { name: /Clara Client/ });
  server.fails.reads = notSignedInProblem();
  await user.click(link);
  await screen.findByRole("heading", { name: "Login now!" });
  expect(address()).toBe(`/auth/login?${new URLSearchParams({ from: `${LIST}/${ID}` })}`);
});

it("When live updates are down, then the conversation says so, and new messages are looked for all the same", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const { queryClient, add } = open(1);
  await screen.findByText("Message 1");
  act(() => setLive(queryClient, () => ({ isDown: true })));
  expect(await screen.findByText(/^Reconnecting…/)).toBeVisible();
  add(aMessage(2));
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect(await screen.findByText("Message 2")).toBeVisible();
});
