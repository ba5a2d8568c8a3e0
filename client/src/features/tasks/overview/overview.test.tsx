import { MAX_WAITING, type Waiting } from "@tasklane/server/contract";
import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { generatedPhoto } from "../../../auth/photo.ts";
import { aMe, aPerson, aTask } from "../../../testing/builders.ts";
import { findRegion } from "../../../testing/find.ts";
import { openApp } from "../../../testing/open-app.tsx";
import { receive } from "../../notifications/live-stream.tsx";

const overview = {
  totalTasks: 72,
  myTasks: 5,
  bidsByDay: [
    { date: "2026-11-17", received: 1, placed: 0 },
    { date: "2026-11-18", received: 1, placed: 0 },
    { date: "2026-11-19", received: 1, placed: 0 },
    { date: "2026-11-20", received: 2, placed: 0 },
    { date: "2026-11-21", received: 3, placed: 1 },
  ],
  earnings: [
    { month: "2026-09", agreed: 0, completed: 0 },
    { month: "2026-10", agreed: 1_200, completed: 1_200 },
    { month: "2026-11", agreed: 300.5, completed: 0 },
  ],
  activeJobs: 2,
  payments: { received: 0, expected: 0, paid: 0, owed: 0 },
  tasksByState: { open: 2, awarded: 3, delivered: 0, completed: 0, cancelled: 0, expired: 0 },
  hasBids: true,
  waiting: [] as Waiting[],
};

async function open(overview: object, me: object = {}, person = aPerson({ emailVerified: false })) {
  const app = openApp("/dash/dashboard", { "GET /me/overview": overview, "GET /me": aMe(me) }, { person });
  await screen.findByRole("heading", { name: "Welcome, Fay Lance" });
  return app;
}

const regionText = (name: string) => screen.getByRole("region", { name }).textContent;

it("When the dashboard opens, then it shows counters, charts with summaries, and a table of the days", async () => {
  await open(overview);
  expect(screen.getByText("72")).toBeVisible();
  expect(screen.getByRole("link", { name: "Total Tasks" })).toHaveAttribute(
    "href",
    "/dash/dashBrowseTask?state=all",
  );
  const bids = "8 bids received and 1 placed in the last 5 days.";
  expect(screen.getByRole("img", { name: bids })).toBeVisible();
  expect(screen.getByRole("img", { name: "5 tasks: 2 open, 3 awarded." })).toBeVisible();
  const chart = screen.getByRole("region", { name: "Bids over time" });
  expect(chart.querySelector("[tabindex]")).toBeNull();
  const day = within(chart).getByText("Nov 21, 2026").closest("tr");
  expect(day).toHaveTextContent("Nov 21, 202631");
  expect(regionText("Earnings agreed")).toBe(
    "Earnings agreed$1,500.50 agreed in the last 3 months, $1,200 of it completed." +
      "October 2026$1,200 agreed, $1,200 completedNovember 2026$300.50 agreed, $0 completed",
  );
  expect(regionText("You’re all caught up")).toContain("reviews to write");
  expect(screen.getByRole("link", { name: "not verified" })).toHaveAttribute(
    "href",
    "/dash/settings#verification",
  );
});

it("When some series and states are zero, then they are left out of charts and legends", async () => {
  const bidsByDay = overview.bidsByDay.map((day) => ({ ...day, placed: 0 }));
  await open({ ...overview, bidsByDay });
  const [chart] = screen.getAllByRole("img");
  expect(chart).toHaveTextContent("Received");
  expect(chart).not.toHaveTextContent("Placed");
  expect(screen.queryByText("Cancelled")).toBeNull();
});

it("When something waits for the user, then each entry says what to do and by when, and links there", async () => {
  vi.setSystemTime("2026-11-20T12:00:00Z");
  const task = { title: "Logo", state: "open" as const, deadline: "2026-11-21", name: "Ada" };
  const waiting: Waiting[] = [
    { ...task, kind: "decide", taskId: "t1", bids: 1 },
    { ...task, kind: "deliver", taskId: "t2", state: "awarded", deadline: "2026-11-20" },
    { ...task, kind: "deadline", taskId: "t3", state: "awarded", deadline: "2026-01-02" },
    { ...task, kind: "deadline", taskId: "t6", state: "awarded", name: undefined },
    { ...task, kind: "deadline", taskId: "t5", deadline: "2026-11-24" },
    { ...task, kind: "complete", taskId: "t7", state: "delivered" },
    { ...task, kind: "complete", taskId: "t8", state: "delivered", name: undefined },
    { ...task, kind: "review", taskId: "t4", state: "completed" },
  ];
  await open({ ...overview, waiting }, { isOperator: true, openReports: 2, openItems: 1 });
  const list = screen.getByRole("region", { name: "Waiting for you" });
  const entries = within(list)
    .getAllByRole("link")
    .map((link) => [link.getAttribute("href"), link.textContent]);
  expect(entries).toEqual([
    ["/dash/reports", "Look at 2 open reports"],
    ["/dash/reports/queue", "Check 1 queue entry"],
    ["/dash/bids/t1", "Decide on 1 bidLogo1 day left"],
    ["/dash/taskdetails/t2#delivery", "Deliver your work to AdaLogoLast day"],
    ["/dash/taskdetails/t3", "Complete it once Ada has deliveredLogoDeadline was Jan 2, 2026"],
    ["/dash/taskdetails/t6", "Decide how it goes on: the freelancer has leftLogo1 day left"],
    ["/dash/taskdetails/t5", "Your task closes for bidsLogo4 days left"],
    ["/dash/taskdetails/t7#delivery", "Mark it as completed: Ada has not respondedLogo"],
    ["/dash/taskdetails/t8#delivery", "Mark it as completed: your client has leftLogo"],
    ["/dash/taskdetails/t4#review", "Review AdaLogo"],
  ]);
});

it("When six tasks of a kind wait, then five are shown and where the rest is; with five, nothing is said of more", async () => {
  const task = { kind: "deadline", title: "Logo", state: "open", deadline: "2026-11-24" } as const;
  const six = Array.from({ length: MAX_WAITING + 1 }, (_, index) => ({ ...task, taskId: `d${index}` }));
  const invited = six.map((one) => ({ ...one, kind: "invited" as const }));
  const read = async (waiting: Waiting[]) => {
    await open({ ...overview, waiting });
    const list = await findRegion("Waiting for you");
    const links = list.getAllByRole("link").map((link) => link.getAttribute("href"));
    cleanup();
    return links;
  };
  const five = [0, 1, 2, 3, 4].map((index) => `/dash/taskdetails/d${index}`);
  expect(await read(six)).toEqual([...five, "/dash/myposttask"]);
  expect(await read(six.slice(1))).toEqual([...five.slice(1), "/dash/taskdetails/d5"]);
  expect(await read(invited)).toEqual([...five, "/dash/notifications"]);
});

it("When messages and notifications are unread, then they wait, and only when they are read is the user caught up", async () => {
  const { queryClient } = await open(overview, { unread: 2, unreadConversations: 1 });
  const list = await findRegion("Waiting for you");
  expect(list.getAllByRole("link").map((link) => [link.getAttribute("href"), link.textContent])).toEqual([
    ["/dash/messages", "Read new messages in 1 conversation"],
    ["/dash/notifications", "Read 2 notifications"],
  ]);
  act(() => void receive(queryClient, "unread", { unread: 1, conversations: 0 }));
  await waitFor(() => expect(regionText("Waiting for you")).toBe("Waiting for youRead 1 notification"));
  act(() => void receive(queryClient, "unread", { unread: 0, conversations: 0 }));
  expect(await screen.findByRole("region", { name: "You’re all caught up" })).toBeVisible();
});

it("When the user is new, then two first steps replace the charts", async () => {
  const tasksByState = { open: 0, awarded: 0, delivered: 0, completed: 0, cancelled: 0, expired: 0 };
  // As the register form has it, unless somebody names a picture of theirs.
  const person = aPerson({ emailVerified: false, photoURL: generatedPhoto("Fay Lance") });
  await open({ ...overview, myTasks: 0, tasksByState, hasBids: false }, {}, person);
  expect(screen.getByRole("link", { name: "Post your first task" })).toHaveAttribute("href", "/dash/addtask");
  expect(screen.getByRole("link", { name: "Find your first job" })).toHaveAttribute(
    "href",
    "/dash/dashBrowseTask",
  );
  expect(screen.queryByRole("img")).toBeNull();
  expect(screen.queryByRole("region", { name: "You’re all caught up" })).toBeNull();
  const profile = await findRegion(/people they know/);
  expect(profile.getByText("0 of 4 done")).toBeVisible();
  expect(profile.getByRole("link", { name: "List your skills" })).toHaveAttribute("href", "/dash/settings");
});

it("When tasks fit the person, then each is shown with the reason", async () => {
  const recommendation = { task: aTask({ title: "A fox", category: "Design", budget: 90 }) };
  openApp("/dash/dashboard", {
    "GET /me/overview": overview,
    "GET /me/recommendations": [
      { ...recommendation, skill: "Ink", sameCategory: true, similarPrice: true },
      {
        ...recommendation,
        task: aTask({ title: "A hen", budget: 5 }),
        sameCategory: true,
        similarPrice: false,
      },
    ],
  });
  const section = await findRegion("Tasks that may suit you");
  expect(section.getAllByRole("listitem").map(({ textContent }) => textContent?.split(" · ")[0])).toEqual([
    "A fox$90It asks for Ink, you have bid in Design, and the price is like those of your bids",
    "A hen$5You have bid in Design",
  ]);
});

it("When there is little to draw, then the sentences stand without charts, and the numbers lead to their pages", async () => {
  const bids = {
    kind: "decide",
    taskId: "t1",
    title: "A fox",
    state: "open",
    deadline: "2099-01-31",
    bids: 3,
  };
  await open(
    { ...overview, myTasks: 4, bidsByDay: overview.bidsByDay.slice(1), waiting: [bids] },
    { unreadConversations: 2 },
  );
  expect(screen.queryByRole("img", { name: /bids received|tasks:/ })).toBeNull();
  expect(screen.getByText(/7 bids received and 1 placed/)).toBeVisible();
  const numbers = [
    "Bids to decide on",
    "Your tasks in progress",
    "Your active jobs",
    "Agreed this month",
  ].map((name) => screen.getByRole("link", { name }).closest("div")?.querySelector("dd")?.textContent);
  expect(numbers).toEqual(["3", "3", "2", "$300.50"]);
  expect(screen.getByRole("link", { name: "Your tasks in progress" })).toHaveAttribute(
    "href",
    "/dash/myposttask",
  );
  cleanup();
  await open({
    ...overview,
    waiting: Array.from({ length: MAX_WAITING + 1 }, (_, at) => ({ ...bids, taskId: `t${at}` })),
  });
  expect(screen.getByText("18+")).toBeVisible();
  cleanup();
  // The server counts no further.
  await open({ ...overview, waiting: [{ ...bids, bids: 100 }] }, { unreadConversations: 100 });
  expect(screen.getAllByText("100+")).toHaveLength(2);
});
