import { NOTIFICATION_KINDS, type Notification } from "@tasklane/server/contract";
import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { paths } from "../../lib/paths.ts";
import { ApiProblem } from "../../lib/problem.ts";
import { aNotification, aPerson, noonOf } from "../../testing/builders.ts";
import { Reply } from "../../testing/fake-api.ts";
import { createFakeFirebase } from "../../testing/fake-firebase.ts";
import { type Handlers, openApp } from "../../testing/open-app.tsx";

let send: (event: string, data: unknown, id?: string) => void = () => {};
let sendText: (text: string) => void = () => {};
let endStream = () => {};
const anEvent = (event: string, data: unknown, id?: string) =>
  `${id ? `id: ${id}\n` : ""}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

// The event stream is the only request that does not use the API port.
beforeEach(() => {
  vi.stubGlobal("fetch", async () => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        const write = (text: string) => controller.enqueue(new TextEncoder().encode(text));
        sendText = write;
        endStream = () => controller.close();
        send = (...event) => write(anEvent(...event));
        send("unread", { unread: 2, conversations: 0 });
      },
    });
    return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
  });
});

/** Opens a page for a person of whom nothing was announced in another test. */
const openAs = (uid: string, handlers: Handlers = {}, path = "/about") =>
  openApp(path, handlers, { person: aPerson({ uid }) });

it("When notifications arrive, then they are counted and announced once, and following one marks it as read", async () => {
  const old = aNotification({ kind: "declined", asClient: false, createdAt: noonOf("2025-12-31") });
  const fresh = aNotification({ taskId: "b".repeat(24) });
  const later = new Date(Date.parse(fresh.createdAt) + 1_000).toISOString();
  const again = aNotification({ taskId: fresh.taskId, createdAt: later, count: 2 });
  const list = new Reply([again, old], { "X-Unread-Count": "3" });
  const { user, isAt, writes } = openAs("bell-1", { "GET /me/notifications": () => list });
  await screen.findByRole("button", { name: "Notifications, 2 unread" });
  send("unread", { unread: 3, conversations: 0 });
  send("notification", fresh, fresh._id);
  send("notification", fresh, fresh._id);
  send("notification", again, again._id);
  const bell = await screen.findByRole("button", { name: "Notifications, 3 unread" });
  const [status] = screen.getAllByRole("status").filter(({ textContent }) => textContent?.includes("Fay"));
  // The one that came twice, and the one that replaces it.
  expect(status?.children).toHaveLength(2);

  await user.click(bell);
  const links = () => screen.getAllByRole("link", { name: /Logo for a bakery/ });
  await waitFor(() => expect(links()).toHaveLength(2));
  expect(links()[0]).toHaveTextContent("2 times");
  expect(links()[1]).toHaveAttribute("href", `/dash/taskdetails/${old.taskId}`);
  await user.click(links()[0] as HTMLElement);
  await isAt(`/dash/bids/${fresh.taskId}`);
  expect(writes()).toMatchObject([{ path: "/me/notifications/read", body: { ids: [again._id] } }]);
});

it("When all are marked as read, then only those up to the newest that was shown are", async () => {
  const shown = aNotification();
  const list = new Reply([shown], { "X-Unread-Count": "1" });
  const { press, writes } = openAs("bell-all", { "GET /me/notifications": () => list }, paths.notifications);
  await press("Mark all as read");
  await waitFor(() => expect(writes()).toMatchObject([{ body: { upTo: shown._id } }]));
});

it("When there are notifications of every kind, then each leads to what it is about, and a review to one's own profile", async () => {
  const list = NOTIFICATION_KINDS.map((kind) => aNotification({ kind, taskTitle: kind }));
  const { press } = openAs("bell-11", { "GET /me/notifications": list });
  await press("Notifications, 2 unread");
  const linkOf = (kind: string) => screen.findByRole("link", { name: new RegExp(`“${kind}”`) });
  const [{ taskId }] = list as [Notification];
  for (const [kind, address] of [
    ["new-bid", paths.receivedBids(taskId)],
    ["awarded", paths.dashTask(taskId)],
    ["change-proposed", paths.agreement(taskId)],
    ["end-refused", paths.ending(taskId)],
    ["work-delivered", paths.delivery(taskId)],
    ["task-completed", paths.writeReview(taskId)],
    ["invoice", paths.payment(taskId)],
    ["task-deleted", paths.myBids],
    ["new-question", paths.questions(taskId)],
    ["review", `${paths.person("bell-11")}#reviews`],
  ] as const)
    expect(await linkOf(kind)).toHaveAttribute("href", address);
  // Its name goes with the account of who accepted it.
  expect(await linkOf("milestone-accepted")).toHaveTextContent("a milestone of “milestone-accepted”");
});

it("When the focused line is replaced live by one about the same, then it keeps the focus", async () => {
  const [fresh, other] = [aNotification(), aNotification({ taskId: "b".repeat(24), taskTitle: "Website" })];
  const later = new Date(Date.parse(fresh.createdAt) + 1_000).toISOString();
  const again = aNotification({ createdAt: later, count: 2 });
  let listed = [other, fresh];
  const { press } = openAs("bell-9", {
    "GET /me/notifications": () => new Reply(listed, { "X-Unread-Count": "2" }),
  });
  await press("Notifications, 2 unread");
  const line = await screen.findByRole("link", { name: /Logo for a bakery/ });
  line.focus();
  listed = [again, other];
  send("notification", again, again._id);
  await waitFor(() => expect(screen.getByRole("link", { name: /2 times/ })).toHaveFocus());
});

it("When notifications are read in another tab, then the open list shows that, too", async () => {
  const fresh = aNotification();
  // The server counts no further.
  let listed = new Reply([fresh], { "X-Unread-Count": "1000" });
  const { press } = openAs("bell-10", { "GET /me/notifications": () => listed });
  await press("Notifications, 2 unread");
  await screen.findByRole("link", { name: /Unread:/ });
  await screen.findByText("1,000+ unread");
  expect(screen.getByRole("button", { name: "Notifications, 99+ unread" })).toBeVisible();
  listed = new Reply([{ ...fresh, read: true }], { "X-Unread-Count": "0" });
  send("unread", { unread: 0, conversations: 0 });
  await waitFor(() => expect(screen.queryByRole("link", { name: /Unread:/ })).toBeNull());
  expect(screen.getByRole("link", { name: /Logo for a bakery/ })).toBeVisible();
});

it("When only the query changes, then the open panel stays open; another page closes it", async () => {
  const { press, goTo } = openAs("bell-2", { "GET /me/notifications": [aNotification({ read: true })] });
  await press("Notifications, 2 unread");
  await screen.findByRole("link", { name: /Logo for a bakery/ });
  await goTo("/about?closed=dialog");
  expect(screen.getByRole("link", { name: /Logo for a bakery/ })).toBeVisible();
  await goTo("/contact");
  await waitFor(() => expect(screen.queryByRole("link", { name: /Logo for a bakery/ })).toBeNull());
});

it("When nobody is signed in, then there is no bell and no stream", async () => {
  openAs("bell-4");
  // The lazily loaded code is there now, and this stream is open and sends no request later.
  await screen.findByRole("button", { name: "Notifications, 2 unread" });
  cleanup();
  const fetching = vi.fn();
  vi.stubGlobal("fetch", fetching);
  openApp("/about", {}, { person: null });
  await screen.findByRole("link", { name: "Login" });
  expect(screen.queryByRole("button", { name: /Notifications/ })).toBeNull();
  expect(fetching).not.toHaveBeenCalled();
});

it("When another user signs in, then nothing of the previous user is announced anymore", async () => {
  const firebase = createFakeFirebase(aPerson({ uid: "bell-5" }));
  openApp("/about", {}, { firebase });
  await screen.findByRole("button", { name: "Notifications, 2 unread" });
  send("unread", { unread: 3, conversations: 1 });
  const fresh = aNotification();
  send("notification", fresh, fresh._id);
  const announcements = () =>
    screen.getAllByRole("status").flatMap(({ textContent }) => (textContent ? [textContent] : []));
  await waitFor(() => expect(announcements()).toContain("Fay Lance bid $120 on “Logo for a bakery”."));
  expect(announcements()).toContain("You have a new message. 1 conversation is unread.");
  const sendToFormer = send;
  await act(() => firebase.createUser("bob@example.com", "Secret1"));
  await screen.findByRole("button", { name: /^bob@example.com .*account menu/ });
  await waitFor(() => expect(announcements()).toEqual([]));
  await screen.findByRole("button", { name: "Notifications, 2 unread" });
  // Their stream is still open.
  sendToFormer("unread", { unread: 9, conversations: 9 });
  sendToFormer("conversation", { conversation: "c1", kind: "message" });
  // Once a later event of the new stream is shown, theirs have been read too.
  const own = aNotification();
  send("notification", own, own._id);
  await waitFor(() => expect(announcements()).toContain("Fay Lance bid $120 on “Logo for a bakery”."));
  expect(announcements()).toHaveLength(1);
  expect(document.title).not.toContain("(9)");
});

it.each(["/dash/notifications", "/about"])(
  "When the account is suspended while %s is open, then the reason follows, once, and public pages stay readable",
  async (path) => {
    const { user, server, address, isAt } = openAs(`bell-suspended-${path}`, {}, path);
    await screen.findByRole("button", { name: "Notifications, 2 unread" });
    const suspension = new ApiProblem(
      "account-suspended",
      403,
      "An operator has suspended your account: Spam.",
    );
    server.fails = { "GET /me": suspension, "GET /me/overview": suspension };
    const refusing = vi.fn(async () => new Response("{}", { status: 403 }));
    vi.stubGlobal("fetch", refusing);
    endStream();
    await screen.findByRole("heading", { name: "Your account is suspended", level: 1 });
    expect(screen.getByRole("alert")).toHaveTextContent("suspended your account: Spam.");
    await user.click(screen.getByRole("link", { name: "Go Back Home" }));
    await isAt("/");
    const before = refusing.mock.calls.length;
    await waitFor(() => expect(refusing.mock.calls.length).toBeGreaterThan(before));
    expect(address()).toBe("/");
  },
);

it("When there are no notifications, then the page links to Browse Tasks", async () => {
  openAs("bell-3", {}, "/dash/notifications");
  await screen.findByText("No notifications yet");
  const main = within(screen.getByRole("main"));
  expect(main.getByRole("link", { name: "Browse Tasks" })).toHaveAttribute("href", "/browsetask");
});

it("When several notifications arrive at once, then all are announced, being hired by a toast", async () => {
  openAs("bell-6");
  await screen.findByRole("button", { name: "Notifications, 2 unread" });
  const hired = aNotification({ kind: "awarded", asClient: false });
  const declined = aNotification({ kind: "declined", asClient: false });
  sendText([hired, declined].map((one) => anEvent("notification", one, one._id)).join(""));
  expect(await screen.findByRole("alert")).toHaveTextContent(/You were hired/);
  const announcement = () =>
    screen.getAllByRole("status").find(({ textContent }) => textContent?.includes("chosen"));
  await waitFor(() => expect(announcement()?.children).toHaveLength(1));
  expect(announcement()).not.toHaveTextContent(/hired/);
  // The same sentence again is another element, so that it is read again.
  const again = aNotification({ kind: "declined", asClient: false });
  send("notification", again, again._id);
  await waitFor(() => expect(announcement()?.children).toHaveLength(2));
});
