import type { Conversation, Message } from "@tasklane/server/contract";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it, onTestFinished, vi } from "vitest";
import { type ConversationNews, conversationNews } from "../../lib/live.ts";
import { ApiProblem, notSignedInProblem, offlineProblem } from "../../lib/problem.ts";
import { aMe, aPerson, aTask } from "../../testing/builders.ts";
import { createFakeApi, deferred } from "../../testing/fake-api.ts";
import { createFakeAuthGateway } from "../../testing/fake-auth-gateway.ts";
import { renderApp } from "../../testing/render-app.tsx";

const SLOW = { timeout: 15_000 };
const ID = "c".repeat(24);
const ME = aMe({ emailAvailable: false });

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

/** A fake server with one conversation. With `losing`, it stores a message but the response gets lost. */
function aServer(count: number, fields: Partial<Conversation> = {}) {
  const keys = new Map<string | undefined, string>();
  const state = {
    failing: false,
    losing: false,
    messages: Array.from({ length: count }, (_, at) => aMessage(at + 1)),
    conversation: {
      _id: ID,
      task: { _id: "a".repeat(24), title: "A logo", state: "awarded" },
      role: "freelancer",
      other: { id: "clara", name: "Clara Client" },
      count,
      unread: 0,
      seenByOther: 0,
      createdAt: "2026-01-01T00:00:00.000Z",
      ...fields,
    } as Conversation,
  };
  const add = (message: Message) => {
    state.messages.push(message);
    state.conversation = { ...state.conversation, count: message.number, last: message };
    return message;
  };
  const reply: Parameters<typeof createFakeApi>[0] = ({ method, path, query, body, headers }) => {
    if (path === "/me")
      return { data: { ...ME, unreadConversations: state.conversation.unread > 0 ? 1 : 0 } };
    if (path === "/me/conversations") return { data: [state.conversation] };
    if (path === `/me/conversations/${ID}`) return { data: state.conversation };
    const changed = { data: { acknowledged: true, matchedCount: 1, modifiedCount: 1 } };
    if (path.endsWith("/seen")) {
      state.conversation = { ...state.conversation, unread: 0 };
      return changed;
    }
    if (path.endsWith("/block")) {
      const { blocked } = body as { blocked: boolean };
      const { closed: _, ...open } = state.conversation;
      state.conversation = blocked ? { ...open, closed: "you-blocked" } : open;
      return changed;
    }
    if (method === "POST") {
      if (state.failing) throw offlineProblem();
      const [key, text] = [headers?.["Idempotency-Key"], JSON.stringify(body)];
      if ((keys.get(key) ?? text) !== text) throw new ApiProblem("key-reused", 422, "Sent before.");
      keys.set(key, text);
      const data = add(aMessage(state.conversation.count + 1, { mine: true, ...(body as object) }));
      if (state.losing) throw offlineProblem();
      return { data };
    }
    const before = Number(query["cursor"] ?? Number.POSITIVE_INFINITY);
    const found = state.messages.filter(({ number }) => number < before).reverse();
    const page = found.slice(0, Number(query["limit"]));
    const next = found.length > page.length ? { Link: `<x?cursor=${page.at(-1)?.number}>; rel="next"` } : {};
    return { data: page, headers: next };
  };
  return { api: createFakeApi(reply), reply, state, add };
}

const open = (api: ReturnType<typeof aServer>["api"], address = `/dash/messages/${ID}`) =>
  renderApp(address, { api, gateway: createFakeAuthGateway(aPerson()) });
const field = () => screen.findByLabelText("Message", {}, SLOW);
/** Delivers events to the page. The listener is loaded lazily with the account menu. */
async function receive(...news: ConversationNews[]) {
  await screen.findByRole("button", { name: /account menu/ }, SLOW);
  act(() => {
    for (const each of news) conversationNews.publish(each);
  });
}
const sent = (api: ReturnType<typeof aServer>["api"]) =>
  api.calls.filter(({ method, path }) => method === "POST" && path.endsWith("/messages"));
function withKeyboard() {
  const listeners = { addEventListener() {}, removeEventListener() {} };
  const spy = vi
    .spyOn(window, "matchMedia")
    .mockImplementation((media) => ({ matches: media.includes("fine"), media, ...listeners }) as never);
  onTestFinished(() => spy.mockRestore());
}

it("When a message is sent, then it is appended with its status, and the field is cleared and has the focus", async () => {
  const { api, state } = aServer(1);
  const { user } = open(api);
  await user.type(await field(), "When do we begin?");
  await user.click(screen.getByRole("button", { name: "Send" }));
  const log = screen.getByRole("log", { name: "Messages" });
  expect(await within(log).findByText("When do we begin?")).toBeVisible();
  expect(within(log).getByText(/Sent/)).toBeVisible();
  await waitFor(() => expect(screen.getByLabelText("Message")).toHaveValue(""));
  expect(screen.getByLabelText("Message")).toHaveFocus();
  state.conversation = { ...state.conversation, seenByOther: 2 };
  await receive({ conversationId: ID, count: 2 });
  expect(await within(log).findByText(/Seen/)).toBeVisible();
});

it("When reloading after a message is slow, then the next one can be sent meanwhile", async () => {
  const { reply } = aServer(1);
  let isSilent = false;
  const api = createFakeApi(async (call) => {
    // As on a real network, the response comes after the page has rendered.
    await new Promise((resolve) => setTimeout(resolve, 5));
    return isSilent && call.path === "/me/conversations" ? new Promise(() => undefined) : reply(call);
  });
  const { user } = open(api);
  await field();
  isSilent = true;
  for (const text of ["When do we begin?", "Monday?"]) {
    await user.type(await field(), text);
    await user.click(screen.getByRole("button", { name: "Send" }));
    expect(await within(screen.getByRole("log")).findByText(text)).toBeVisible();
  }
  expect(sent(api)).toHaveLength(2);
});

it("When sending fails, then the text stays, and sending again uses the same key", async () => {
  const { api, state } = aServer(1);
  state.failing = true;
  const first = open(api);
  await first.user.type(await field(), "Do you hear me?");
  await first.user.click(screen.getByRole("button", { name: "Send" }));
  await screen.findByText(/Not sent\. We can't reach Tasklane/);
  expect(screen.getByLabelText("Message")).toHaveValue("Do you hear me?");
  state.failing = false;
  await first.user.click(await screen.findByRole("button", { name: "Send again" }));
  await screen.findByText("Do you hear me?", { selector: "p" });
  const [one, two] = sent(api).map(({ headers }) => headers?.["Idempotency-Key"]);
  expect(one).toBeTruthy();
  expect(two).toBe(one);
  await waitFor(() => expect(screen.getByLabelText("Message")).toHaveValue(""));
});

it("When the response to a message is lost and its text is edited, then the edited text is sent as another message", async () => {
  const { api, state } = aServer(1);
  const { user } = open(api);
  state.losing = true;
  await user.type(await field(), "Hello");
  await user.click(screen.getByRole("button", { name: "Send" }));
  await screen.findByText(/Not sent\. We can't reach Tasklane/);
  state.losing = false;
  await user.type(screen.getByLabelText("Message"), " again");
  await user.click(await screen.findByRole("button", { name: "Send again" }));
  await screen.findByText("Not sent. Sent before.");
  await user.click(await screen.findByRole("button", { name: "Send again" }));
  expect(await screen.findByText("Hello again", { selector: "p" })).toBeVisible();
  expect(state.messages.map(({ text }) => text)).toEqual(["Message 1", "Hello", "Hello again"]);
});

it("When somebody leaves an unsent message, then it is still there when they come back", async () => {
  const { api } = aServer(1);
  const { user, router } = open(api);
  await user.type(await field(), "Half a thought");
  await act(() => router.navigate("/dash/messages"));
  await screen.findByText("Choose a conversation to read it.");
  await act(() => router.navigate(`/dash/messages/${ID}`));
  expect(await field()).toHaveValue("Half a thought");
});

it("When a conversation is opened again while a message is being sent, then it is sent only once and not left in the field", async () => {
  const { reply, state } = aServer(1);
  const sending = deferred();
  const api = createFakeApi(async (call) => {
    if (call.method === "POST" && call.path.endsWith("/messages")) await sending.promise;
    return reply(call);
  });
  const { user, router } = open(api);
  await user.type(await field(), "Hello");
  await user.click(screen.getByRole("button", { name: "Send" }));
  await act(() => router.navigate("/dash/messages"));
  await screen.findByText("Choose a conversation to read it.");
  await act(() => router.navigate(`/dash/messages/${ID}`));
  expect(await field()).toHaveValue("Hello");
  expect(screen.getByRole("button", { name: "Sending…" })).toHaveAttribute("aria-disabled", "true");
  await user.click(screen.getByRole("button", { name: "Sending…" }));
  sending.resolve();
  expect(await within(screen.getByRole("log")).findByText("Hello")).toBeVisible();
  await waitFor(() => expect(screen.getByLabelText("Message")).toHaveValue(""));
  expect(state.messages.map(({ text }) => text)).toEqual(["Message 1", "Hello"]);
  expect(sent(api)).toHaveLength(1);
  await user.type(screen.getByLabelText("Message"), "Another");
  await user.click(screen.getByRole("button", { name: "Send" }));
  await waitFor(() => expect(sent(api)).toHaveLength(2));
});

it("When Enter is pressed on a phone, then it starts a new line and sends nothing", async () => {
  const { api } = aServer(0);
  const { user } = open(api);
  await user.type(await field(), "One{Enter}Two");
  expect(sent(api)).toEqual([]);
  expect(screen.getByLabelText("Message")).toHaveValue("One\nTwo");
});

it("When there is a keyboard, then Enter sends, Shift+Enter starts a new line, and the hint says so", async () => {
  withKeyboard();
  const { api } = aServer(0);
  const { user } = open(api);
  expect(await field()).toHaveAccessibleDescription(/Enter sends/);
  await user.type(await field(), "One{Shift>}{Enter}{/Shift}Two{Enter}");
  await waitFor(() => expect(sent(api).map(({ body }) => body)).toEqual([{ text: "One\nTwo" }]));
});

it("When Enter confirms the text of an input method in Safari, then nothing is sent yet", async () => {
  withKeyboard();
  const { api } = aServer(0);
  const { user } = open(api);
  await user.type(await field(), "日本");
  fireEvent.keyDown(await field(), { key: "Enter", keyCode: 229 });
  await user.type(await field(), "語{Enter}");
  await waitFor(() => expect(sent(api).map(({ body }) => body)).toEqual([{ text: "日本語" }]));
});

it("When a message arrives, then it is shown immediately and marked as seen, and the title counts it until then", async () => {
  const { api, state, add } = aServer(1);
  open(api);
  await field();
  state.conversation = { ...state.conversation, unread: 1 };
  add(aMessage(2, { text: "Are you there?" }));
  await receive({ unread: 1 }, { conversationId: ID, count: 2 });
  expect(document.title).toMatch(/^\(1\) /);
  const badge = within(screen.getByRole("navigation", { name: "Dashboard" }));
  expect(badge.getByRole("link", { name: /Messages 1 unread/, hidden: true })).toBeVisible();
  expect(await within(screen.getByRole("log")).findByText("Are you there?")).toBeVisible();
  await waitFor(() =>
    expect(api.calls.findLast(({ path }) => path.endsWith("/seen"))?.body).toEqual({ number: 2 }),
  );
  await receive({ unread: 0 });
  expect(document.title).toBe("Messages with Clara Client | Tasklane");
});

it("When somebody goes from a public page to the dashboard, then the unread count is kept", async () => {
  const { router } = open(aServer(1).api, "/about");
  await receive({ unread: 2 });
  expect(document.title).toMatch(/^\(2\) /);
  await act(() => router.navigate("/dash/messages"));
  await screen.findByRole("navigation", { name: "Dashboard" });
  expect(await screen.findByRole("button", { name: /account menu, 2 unread conversations/ })).toBeVisible();
  await waitFor(() => expect(document.title).toMatch(/^\(2\) /));
});

it("When a conversation is long, then the last messages load first and earlier ones on request, each once", async () => {
  const { api, add } = aServer(70);
  const { user } = open(api);
  const log = await screen.findByRole("log", { name: "Messages" }, SLOW);
  expect(within(log).queryByText("Message 40")).toBeNull();
  await user.click(await within(log).findByRole("button", { name: "Show earlier messages" }));
  expect(await within(log).findByText("Message 40")).toBeVisible();
  add(aMessage(71));
  await receive({ conversationId: ID, count: 71 });
  expect(await within(log).findByText("Message 71")).toBeVisible();
  await user.click(within(log).getByRole("button", { name: "Show earlier messages" }));
  expect(await within(log).findByText("Message 1")).toBeVisible();
  expect(within(log).getAllByText(/^Message \d+$/)).toHaveLength(71);
  expect(within(log).queryByRole("button", { name: "Show earlier messages" })).toBeNull();
});

it("When more than one page of messages was missed, then the list starts again from the newest page", async () => {
  const { api, add } = aServer(5);
  open(api);
  await field();
  for (let number = 6; number <= 50; number++) add(aMessage(number));
  await receive({ conversationId: ID, count: 50 });
  const log = screen.getByRole("log", { name: "Messages" });
  expect(await within(log).findByText("Message 50")).toBeVisible();
  expect(within(log).queryByText("Message 5")).toBeNull();
  expect(within(log).getByRole("button", { name: "Show earlier messages" })).toBeVisible();
});

it("When a message contains a web address, then it becomes a plain nofollow link", async () => {
  const { api, add } = aServer(0);
  add(aMessage(1, { text: "See https://studio.example/a, <b>now</b>" }));
  open(api);
  const link = await screen.findByRole("link", { name: "https://studio.example/a" }, SLOW);
  expect(link).toHaveAttribute("href", "https://studio.example/a");
  expect(link).toHaveAttribute("rel", "nofollow ugc noopener");
  expect(within(screen.getByRole("log")).getByText(/<b>now<\/b>/)).toBeVisible();
});

it("When somebody blocks the other side, then they confirm first, nobody can write, and unblocking restores that", async () => {
  const { api } = aServer(1);
  const { user } = open(api);
  await user.click(await screen.findByRole("button", { name: "Block Clara Client" }, SLOW));
  await user.click(await screen.findByRole("button", { name: "Block" }));
  await screen.findByText(/You have blocked Clara Client/);
  expect(screen.queryByLabelText("Message")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Unblock" }));
  expect(await field()).toBeVisible();
});

it.each([
  ["blocked-you", /Clara Client does not accept messages from you/],
  ["ended", /ended more than 30 days ago/],
  ["left", /deleted their account/],
] as const)(
  "When a conversation is closed (%s), then the reason is shown and the messages can still be read",
  async (closed, text) => {
    const { api } = aServer(1, { closed });
    open(api);
    expect(await screen.findByText(text, {}, SLOW)).toBeVisible();
    expect(screen.getByText("Message 1")).toBeVisible();
    expect(screen.queryByRole("button", { name: "Send" })).toBeNull();
  },
);

it("When messages are reported, then the report names the conversation", async () => {
  const { api } = aServer(1);
  const { user } = open(api);
  await user.click(await screen.findByRole("button", { name: "Report Clara Client’s messages" }, SLOW));
  await user.selectOptions(screen.getByLabelText("Reason"), "Fraud or a scam");
  await user.click(screen.getByRole("button", { name: "Send report" }));
  await waitFor(() =>
    expect(api.calls.find(({ path }) => path === "/reports")?.body).toEqual({
      taskId: "a".repeat(24),
      conversationId: ID,
      reason: "fraud",
      text: "",
    }),
  );
});

it("When somebody opens a conversation that is not theirs, then it is not found", async () => {
  const api = createFakeApi(({ path }) => {
    if (path === "/me") return { data: ME };
    if (path === "/me/conversations") return { data: [] };
    throw new ApiProblem("conversation-not-found", 404, "This conversation does not exist.");
  });
  open(api);
  await screen.findByRole("heading", { name: "Conversation not found" }, SLOW);
  open(api, "/dash/messages");
  expect(await screen.findByRole("heading", { name: "No messages yet" })).toBeVisible();
});

it("When there are no conversations, then the page links to tasks and bids", async () => {
  open(
    createFakeApi(({ path }) => ({ data: path === "/me" ? ME : [] })),
    "/dash/messages",
  );
  await screen.findByRole("heading", { name: "No messages yet" }, SLOW);
  for (const name of ["My Posted Tasks", "My Bids"])
    expect(within(screen.getByRole("main")).getByRole("link", { name })).toBeVisible();
});

it("When a client has shortlisted one of two bids, then they can write to that bid's freelancer only", async () => {
  const task = aTask({
    bidsCount: 2,
    viewer: { isOwner: true, hasBid: false, role: "client", hasReviewed: false },
  });
  const bid = (name: string, state: string) => ({
    _id: name
      .toLowerCase()
      .padEnd(24, "0")
      .replace(/[^0-9a-f]/g, "0"),
    freelancerId: name,
    name,
    amount: 100,
    state,
    rating: { average: null, count: 0 },
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
  });
  const server = aServer(0, { role: "client", other: { id: "Fay", name: "Fay" } });
  const api = createFakeApi((call) => {
    if (call.path === "/tasks") return { data: [task] };
    if (call.path.endsWith("/conversation")) return { data: { acknowledged: true, insertedId: ID } };
    if (call.path.endsWith("/bids")) return { data: [bid("Fay", "shortlisted"), bid("Ben", "placed")] };
    return server.reply(call);
  });
  const { user, router } = open(api, `/dash/myposttask?bids=${task._id}`);
  await user.click(await screen.findByRole("button", { name: "Message Fay" }, SLOW));
  expect(screen.queryByRole("button", { name: "Message Ben" })).toBeNull();
  await waitFor(() => expect(router.state.location.pathname).toBe(`/dash/messages/${ID}`));
  expect(await screen.findByLabelText("Message")).toBeVisible();
});

it("When a conversation is opened after the session has expired, then login leads back to it", async () => {
  const server = aServer(1);
  let isOver = false;
  const api = createFakeApi((call) => {
    if (isOver) throw notSignedInProblem();
    return server.reply(call);
  });
  const { user, router } = open(api, "/dash/messages");
  const link = await screen.findByRole("link", { name: /Clara Client/ }, SLOW);
  isOver = true;
  await user.click(link);
  await screen.findByRole("heading", { name: "Login now!" }, SLOW);
  expect(new URLSearchParams(router.state.location.search).get("from")).toBe(`/dash/messages/${ID}`);
});
