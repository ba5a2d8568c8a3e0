import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { ApiProblem } from "../../lib/problem.ts";
import { aNotification, aPerson, noonOf } from "../../testing/builders.ts";
import { createFakeApi } from "../../testing/fake-api.ts";
import { createFakeFirebase } from "../../testing/fake-firebase.ts";
import { renderApp } from "../../testing/render-app.tsx";

// The first test also loads the pages' modules.
const SLOW = { timeout: 15_000 };

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

it("When notifications arrive, then they are counted and announced once, and following one marks it as read", async () => {
  const old = aNotification({ kind: "declined", asClient: false, createdAt: noonOf("2025-12-31") });
  const fresh = aNotification({ taskId: "b".repeat(24) });
  const later = new Date(Date.parse(fresh.createdAt) + 1_000).toISOString();
  const again = aNotification({ taskId: fresh.taskId, createdAt: later, count: 2 });
  const api = createFakeApi(({ method }) => {
    if (method === "POST") return { data: { acknowledged: true, matchedCount: 1, modifiedCount: 1 } };
    return { data: [again, old], headers: { "X-Unread-Count": "3" } };
  });
  const firebase = createFakeFirebase(aPerson({ uid: "bell-1" }));
  const { user, router } = renderApp("/about", { api, firebase });
  await screen.findByRole("button", { name: "Notifications, 2 unread" }, SLOW);
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
  await waitFor(() =>
    expect(router.state.location.pathname + router.state.location.search).toBe(`/dash/bids/${fresh.taskId}`),
  );
  expect(api.calls).toContainEqual(
    expect.objectContaining({ path: "/me/notifications/read", body: { ids: [again._id] } }),
  );
});

it("When the focused line is replaced live by one about the same, then it keeps the focus", async () => {
  const [fresh, other] = [aNotification(), aNotification({ taskId: "b".repeat(24), taskTitle: "Website" })];
  const later = new Date(Date.parse(fresh.createdAt) + 1_000).toISOString();
  const again = aNotification({ createdAt: later, count: 2 });
  let listed = [other, fresh];
  const api = createFakeApi(() => ({ data: listed, headers: { "X-Unread-Count": "2" } }));
  const { user } = renderApp("/about", { api, firebase: createFakeFirebase(aPerson({ uid: "bell-9" })) });
  await user.click(await screen.findByRole("button", { name: "Notifications, 2 unread" }, SLOW));
  const line = await screen.findByRole("link", { name: /Logo for a bakery/ });
  line.focus();
  listed = [again, other];
  send("notification", again, again._id);
  await waitFor(() => expect(screen.getByRole("link", { name: /2 times/ })).toHaveFocus());
});

it("When only the query changes, then the open panel stays open; another page closes it", async () => {
  const api = createFakeApi(() => ({ data: [aNotification({ read: true })] }));
  const firebase = createFakeFirebase(aPerson({ uid: "bell-2" }));
  const { user, router } = renderApp("/about", { api, firebase });
  await user.click(await screen.findByRole("button", { name: "Notifications, 2 unread" }, SLOW));
  await screen.findByRole("link", { name: /Logo for a bakery/ });
  await act(() => router.navigate("/about?closed=dialog"));
  expect(screen.getByRole("link", { name: /Logo for a bakery/ })).toBeVisible();
  await act(() => router.navigate("/contact"));
  await waitFor(() => expect(screen.queryByRole("link", { name: /Logo for a bakery/ })).toBeNull());
});

it("When nobody is signed in, then there is no bell and no stream", async () => {
  const api = createFakeApi(() => ({ data: [] }));
  renderApp("/about", { api, firebase: createFakeFirebase(aPerson({ uid: "bell-4" })) });
  // The lazily loaded code is there now, and this stream is open and sends no request later.
  await screen.findByRole("button", { name: "Notifications, 2 unread" }, SLOW);
  cleanup();
  const fetching = vi.fn();
  vi.stubGlobal("fetch", fetching);
  renderApp("/about", { api, firebase: createFakeFirebase() });
  await screen.findByRole("link", { name: "Login" }, SLOW);
  expect(screen.queryByRole("button", { name: /Notifications/ })).toBeNull();
  expect(fetching).not.toHaveBeenCalled();
});

it("When another user signs in, then nothing of the previous user is announced any more", async () => {
  const firebase = createFakeFirebase(aPerson({ uid: "bell-5" }));
  renderApp("/about", { api: createFakeApi(() => ({ data: [] })), firebase });
  await screen.findByRole("button", { name: "Notifications, 2 unread" }, SLOW);
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
  expect(announcements()).toEqual([]);
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
    let suspended = false;
    const api = createFakeApi(({ auth }) => {
      if (suspended && auth === "required")
        throw new ApiProblem("account-suspended", 403, "An operator has suspended your account: Spam.");
      return { data: [] };
    });
    const firebase = createFakeFirebase(aPerson({ uid: `bell-suspended-${path}` }));
    const { user, router } = renderApp(path, { api, firebase });
    await screen.findByRole("button", { name: "Notifications, 2 unread" }, SLOW);
    suspended = true;
    const refusing = vi.fn(async () => new Response("{}", { status: 403 }));
    vi.stubGlobal("fetch", refusing);
    endStream();
    await screen.findByRole("heading", { name: "Your account is suspended", level: 1 }, SLOW);
    expect(screen.getByRole("alert")).toHaveTextContent("suspended your account: Spam.");
    await user.click(screen.getByRole("link", { name: "Go Back Home" }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/"));
    const before = refusing.mock.calls.length;
    await waitFor(() => expect(refusing.mock.calls.length).toBeGreaterThan(before), SLOW);
    expect(router.state.location.pathname).toBe("/");
  },
);

it("When there are no notifications, then the page links to Browse Tasks", async () => {
  const firebase = createFakeFirebase(aPerson({ uid: "bell-3" }));
  renderApp("/dash/notifications", { api: createFakeApi(() => ({ data: [] })), firebase });
  await screen.findByText("No notifications yet", undefined, SLOW);
  const main = within(screen.getByRole("main"));
  expect(main.getByRole("link", { name: "Browse Tasks" })).toHaveAttribute("href", "/browsetask");
});

it("When several notifications arrive at once, then all are announced, and being hired shows a toast", async () => {
  const firebase = createFakeFirebase(aPerson({ uid: "bell-6" }));
  renderApp("/about", { api: createFakeApi(() => ({ data: [] })), firebase });
  await screen.findByRole("button", { name: "Notifications, 2 unread" }, SLOW);
  const hired = aNotification({ kind: "awarded", asClient: false });
  const declined = aNotification({ kind: "declined", asClient: false });
  sendText([hired, declined].map((one) => anEvent("notification", one, one._id)).join(""));
  expect(await screen.findByRole("alert")).toHaveTextContent(/You were hired/);
  const announcement = () =>
    screen.getAllByRole("status").find(({ textContent }) => textContent?.includes("hired"));
  expect(announcement()).toHaveTextContent(/hired for “Logo for a bakery”.*not chosen/);
  // The same sentence again is another element, so that it is read again.
  const again = aNotification({ kind: "awarded", asClient: false });
  send("notification", again, again._id);
  await waitFor(() => expect(announcement()?.children).toHaveLength(3));
  expect(announcement()).toHaveTextContent(/hired.*not chosen.*hired/);
});
