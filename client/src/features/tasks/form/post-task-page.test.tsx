import { act, screen, waitFor, within } from "@testing-library/react";
import Swal from "sweetalert2/dist/sweetalert2.esm.js";
import { describe, expect, it } from "vitest";
import { apiStatus } from "../../../lib/api-status.ts";
import { ApiProblem, offlineProblem } from "../../../lib/problem.ts";
import { aPerson, aTask } from "../../../testing/builders.ts";
import { createFakeApi, deferred } from "../../../testing/fake-api.ts";
import { createFakeAuthGateway } from "../../../testing/fake-auth-gateway.ts";
import { renderApp } from "../../../testing/render-app.tsx";
import { TASK_LABELS } from "./task-form-values.ts";

/** A server that handles each idempotency key once, including refusals, and may lose responses. */
function aServer() {
  const posted = new Map<string, string>();
  const refused = new Map<string, string>();
  const world = { lostResponses: 0, refuse: undefined as Error | undefined, slow: Promise.resolve() };
  const api = createFakeApi(async ({ method, body, headers }) => {
    if (method !== "POST") return { data: [] };
    await world.slow;
    await new Promise((resolve) => setTimeout(resolve, 5));
    const key = headers?.["Idempotency-Key"] ?? `none ${posted.size}`;
    const content = JSON.stringify(body);
    if (world.refuse) {
      refused.set(key, content);
      throw world.refuse;
    }
    if ((posted.get(key) ?? refused.get(key) ?? content) !== content)
      throw new ApiProblem("key-reused", 422, "This Idempotency-Key was used for another request.");
    posted.set(key, content);
    if (world.lostResponses > 0) {
      world.lostResponses -= 1;
      throw offlineProblem();
    }
    return { data: { acknowledged: true, insertedId: "a".repeat(24) } };
  });
  const titles = () => [...posted.values()].map((text) => (JSON.parse(text) as { title: string }).title);
  return { world, api, titles };
}

const open = (api: ReturnType<typeof aServer>["api"], retryWaits: number[] = []) =>
  renderApp("/dash/addtask", { api, gateway: createFakeAuthGateway(aPerson()), retryWaits }).user;
type User = ReturnType<typeof open>;

const field = (label: string) => screen.findByLabelText(label);

it("When the form opens, then it has a control for each field of a task", async () => {
  open(aServer().api);
  for (const [name, label] of Object.entries(TASK_LABELS))
    expect(await field(label)).toHaveAttribute("name", name);
});

it("When a title is too long, then it is not cut off, and the field says so", async () => {
  const { api } = aServer();
  const user = open(api);
  const title = "long ".repeat(30).trim();
  await user.click(await field("Title"));
  await user.paste(title);
  expect(await field("Title")).toHaveValue(title);
  expect(await field("Title")).toHaveAccessibleDescription(/^149 of 120 characters/);
  await user.click(screen.getByRole("button", { name: "Add Task" }));
  await waitFor(async () =>
    expect(await field("Title")).toHaveAccessibleDescription(/Title can have at most 120 characters\.$/),
  );
  expect(api.calls.filter(({ method }) => method === "POST")).toEqual([]);
});

it("When several fields are invalid, then a deadline in the past is reported with the others", async () => {
  const { api } = aServer();
  const user = open(api);
  await user.type(await field("Title"), "Logo");
  await user.type(await field("Deadline"), "2020-01-31");
  await user.type(await field("Budget (USD)"), "-5");
  await user.click(screen.getByRole("button", { name: "Add Task" }));
  await waitFor(async () =>
    expect(await field("Deadline")).toHaveAccessibleDescription(/^This deadline has passed/),
  );
  expect(await field("Budget (USD)")).toHaveAccessibleDescription("Budget must be more than $0.");
  expect(await field("Category")).toBeInvalid();
  expect(api.calls.filter(({ method }) => method === "POST")).toEqual([]);
});

it("When nothing is filled in yet, then the preview shows an example deadline instead of the last day", async () => {
  open(aServer().api);
  const preview = await screen.findByRole("region", { name: "How others will see it" });
  expect(preview).not.toHaveTextContent("Last day");
  expect(preview).toHaveTextContent("14 days left");
});

const fill = async (user: User, title: string) => {
  await user.type(await field("Title"), title);
  await user.selectOptions(await field("Category"), "Design");
  await user.type(await field("Description"), "Three drafts.");
  await user.type(await field("Deadline"), "2099-01-31");
  await user.type(await field("Budget (USD)"), "120.50");
};
const send = async (user: User) => user.click(await screen.findByRole("button", { name: "Add Task" }));
const done = async () => {
  await screen.findByText("Your Add Task Successfully");
  Swal.close();
  await waitFor(() => expect(document.querySelector(".swal2-container")).toBeNull());
};

it("When a question contains contact data, then the form advises against it but posts it", async () => {
  const { api } = aServer();
  const user = open(api);
  await fill(user, "A fox");
  expect(screen.queryByText(/seems to contain/)).toBeNull();
  await user.type(await field("Screening question"), "Which foxes? Tell fay@mail.example");
  expect(
    screen.getByText(/This seems to contain an email address\. It is better to wait/),
  ).toBeInTheDocument();
  await send(user);
  await done();
  expect(screen.queryByText(/seems to contain/)).toBeNull();
  const [posted] = api.calls.filter(({ method }) => method === "POST");
  expect(posted?.body).toMatchObject({ screeningQuestion: "Which foxes? Tell fay@mail.example" });
});

describe("posting that is refused", () => {
  it("When the daily limit of tasks is reached, then the form says when the next is possible, keeps everything, and can be sent again", async () => {
    const { world, api, titles } = aServer();
    world.refuse = new ApiProblem("task-limit-reached", 409, "You have posted 20 tasks today.");
    const user = open(api);
    await fill(user, "A fox");
    await send(user);
    const text = await screen.findByText(/You can post again in \d+ (minute|hour)s?; until then/);
    expect(text.closest("[tabindex]")).toHaveFocus();
    expect(await field("Title")).toHaveValue("A fox");
    world.refuse = undefined;
    await user.type(await field("Title"), " and a hen");
    await send(user);
    await done();
    expect(titles()).toEqual(["A fox and a hen"]);
  });

  it.each([
    ["too-many-requests", 429, "Too many requests. Try again in 20 seconds."],
    ["internal", 500, "Something went wrong on our side."],
    ["unavailable", 503, "Tasklane has a problem right now."],
  ] as const)(
    "When a post is refused with %s, then the reason receives focus, and disappears during the next attempt",
    async (code, status, reason) => {
      const { world, api } = aServer();
      world.refuse = new ApiProblem(code, status, reason);
      const user = open(api);
      await fill(user, "A fox");
      await send(user);
      const text = await screen.findByText(reason);
      expect(text.closest("[tabindex]")).toHaveFocus();
      // The reason is beside the submit button, not at the top of the form.
      expect(
        (await field("Budget (USD)")).compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING,
      ).toBeTruthy();

      world.refuse = undefined;
      const { promise, resolve: respond } = deferred();
      world.slow = promise;
      await send(user);
      await screen.findByRole("button", { name: "Posting…" });
      expect(screen.queryByText(reason)).toBeNull();
      respond();
      await done();
    },
  );
});

describe("posting when responses get lost", () => {
  it("When the response is lost and the form is sent again, then one task is posted", async () => {
    const { world, api, titles } = aServer();
    world.lostResponses = 1;
    const user = open(api);
    await fill(user, "A logo");
    await send(user);
    await screen.findByText(/We can't reach Tasklane/);
    expect(await field("Title")).toHaveValue("A logo");
    await send(user);
    await done();
    expect(titles()).toEqual(["A logo"]);
  });

  it("When the page is reloaded before sending again, then it is still one task", async () => {
    const { world, api, titles } = aServer();
    world.lostResponses = 1;
    const before = open(api);
    await fill(before, "A logo");
    await send(before);
    await screen.findByText(/We can't reach Tasklane/);
    document.body.replaceChildren();
    const user = open(api);
    await screen.findByText("This is the draft you left unsent.");
    await send(user);
    await done();
    expect(titles()).toEqual(["A logo"]);
  });

  it("When the app retries by itself, then one task is posted and no outage is reported", async () => {
    const { world, api, titles } = aServer();
    world.lostResponses = 1;
    const user = open(api, [0]);
    await fill(user, "A logo");
    await send(user);
    await done();
    expect(titles()).toEqual(["A logo"]);
    expect(api.calls.filter(({ method }) => method === "POST")).toHaveLength(2);
    expect(apiStatus.outage()).toBeNull();
  });

  it("When the same task is posted again after a success, then it is a second task", async () => {
    const { api, titles } = aServer();
    const user = open(api);
    for (const _ of [1, 2]) {
      await fill(user, "A logo");
      await send(user);
      await done();
      await waitFor(async () => expect(await field("Title")).toHaveValue(""));
    }
    expect(titles()).toEqual(["A logo", "A logo"]);
  });

  it("When the form was changed after a lost response, then it warns of a possible duplicate and posts another only on request", async () => {
    const { world, api, titles } = aServer();
    world.lostResponses = 1;
    const user = open(api);
    await fill(user, "A logo");
    await send(user);
    await screen.findByText(/We can't reach Tasklane/);
    await user.type(await field("Title"), " and a sign");
    await send(user);
    await screen.findByText(/An earlier version of this task was sent/);
    expect(titles()).toEqual(["A logo"]);
    expect(await field("Title")).toHaveValue("A logo and a sign");
    await user.click(screen.getByRole("button", { name: "post this as another task" }));
    await done();
    expect(titles()).toEqual(["A logo", "A logo and a sign"]);
  });

  it("When the first attempt was refused, then the corrected form is posted", async () => {
    const { world, api, titles } = aServer();
    world.refuse = new ApiProblem("invalid", 422, "Some fields need another look.");
    const user = open(api);
    await fill(user, "A logo");
    await send(user);
    await screen.findByText(/need another look/);
    world.refuse = undefined;
    await user.type(await field("Title"), " and a sign");
    await send(user);
    await done();
    expect(titles()).toEqual(["A logo and a sign"]);
  });
});

describe("typing while a task is being posted", () => {
  it("When the next task's title is typed meanwhile, then only what was sent is cleared", async () => {
    const { world, api, titles } = aServer();
    const { promise, resolve: release } = deferred();
    world.slow = promise;
    const user = open(api);
    await fill(user, "A logo");
    await send(user);
    await screen.findByRole("button", { name: "Posting…" });
    await user.clear(await field("Title"));
    await user.type(await field("Title"), "A sign");
    release();
    await done();
    expect(await field("Title")).toHaveValue("A sign");
    expect(await field("Description")).toHaveValue("");
    expect(await field("Budget (USD)")).toHaveValue(null);
    expect(titles()).toEqual(["A logo"]);
    const kept = Object.values(localStorage).join();
    expect(kept).toContain("A sign");
    expect(kept).not.toContain("Three drafts.");
  });
});

it("When the form is left and opened again while its task is being posted, then it is empty once that is posted", async () => {
  const { world, api, titles } = aServer();
  const { promise, resolve: release } = deferred();
  world.slow = promise;
  const gateway = createFakeAuthGateway(aPerson());
  const { user, router } = renderApp("/dash/addtask", { api, gateway });
  await fill(user, "A logo");
  await send(user);
  void router.navigate("/dash/myposttask");
  await user.click(await screen.findByRole("button", { name: "Leave" }));
  await screen.findByText("No Tasks Available");
  await act(() => router.navigate("/dash/addtask"));
  expect(await field("Title")).toHaveValue("A logo");
  expect(screen.queryByText(/left unsent/)).toBeNull();
  release();
  await done();
  expect(await field("Title")).toHaveValue("");
  expect(screen.getByText("A logo")).toBeVisible();
  expect(titles()).toEqual(["A logo"]);
});

describe("posting a task again", () => {
  const viewer = {
    isOwner: true,
    hasBid: false,
    role: "client",
    hasReviewed: false,
    showEmail: false,
  } as const;
  const old = aTask({
    title: "A fox",
    budget: 99.5,
    deadline: "2026-01-31",
    screeningQuestion: "Which foxes have you drawn?",
    state: "completed",
    viewer,
  });

  /** Opens the form as a copy of `task`; undefined means that the task no longer exists. */
  function postAgain(task: typeof old | undefined) {
    const api = createFakeApi(({ method, path }) => {
      if (method === "POST") return { data: { acknowledged: true, insertedId: "b".repeat(24) } };
      if (path === `/tasks/${old._id}` && !task) throw new ApiProblem("task-not-found", 404, "Gone.");
      return { data: path === `/tasks/${old._id}` ? task : [] };
    });
    const app = renderApp(`/dash/addtask?copy=${old._id}`, {
      api,
      gateway: createFakeAuthGateway(aPerson()),
    });
    return { ...app, api, sent: () => api.calls.find(({ method }) => method === "POST")?.body };
  }

  it("When a task is posted again, then the form holds everything except the deadline, and posts a new task", async () => {
    const { user, sent } = postAgain(old);
    expect(await field("Title")).toHaveValue("A fox");
    expect(screen.getByText(/This is a copy of your task/)).toBeVisible();
    expect(await field("Deadline")).toHaveValue("");
    expect(await field(TASK_LABELS.showEmail)).not.toBeChecked();
    await send(user);
    await waitFor(async () =>
      expect(await field("Deadline")).toHaveAccessibleDescription("Deadline is required."),
    );
    await user.type(await field("Deadline"), "2099-01-31");
    await send(user);
    await done();
    const { title, category, description, budget, screeningQuestion } = old;
    const copied = { title, category, description, budget, screeningQuestion };
    expect(sent()).toEqual({ ...copied, deadline: "2099-01-31", showEmail: false });
    expect(screen.getByRole("link", { name: "View task" })).toHaveAttribute(
      "href",
      `/dash/taskdetails/${"b".repeat(24)}`,
    );
    expect(await field("Title")).toHaveValue("");
  });

  it("When a copy is posted, then no draft is left, and the next copy starts with all values again", async () => {
    const { user, router } = postAgain(old);
    await user.type(await field("Deadline"), "2099-01-31");
    await send(user);
    await done();
    await user.click(within(screen.getByRole("main")).getByRole("link", { name: "My Posted Tasks" }));
    await screen.findByRole("heading", { name: "My Posted Tasks", level: 1 });
    await act(() => router.navigate(`/dash/addtask?copy=${old._id}`));
    expect(await field("Title")).toHaveValue("A fox");
  });

  it("When the connection breaks right after posting, then the link to the new task stays", async () => {
    const { user, api } = postAgain(old);
    await user.type(await field("Deadline"), "2099-01-31");
    const call = api.call.bind(api);
    let isPosted = false;
    api.call = (endpoint, options) => {
      if (isPosted) return Promise.reject(offlineProblem());
      isPosted = endpoint === "POST /tasks";
      return call(endpoint, options);
    };
    await send(user);
    await done();
    expect(await screen.findByRole("link", { name: "View task" })).toBeVisible();
    expect(await field("Title")).toHaveValue("");
  });

  it("When the connection breaks while posting, then the form keeps what was typed", async () => {
    const { user, api } = postAgain(old);
    await user.type(await field("Deadline"), "2099-01-31");
    api.call = () => Promise.reject(offlineProblem());
    await send(user);
    await screen.findByText(/We can't reach Tasklane/);
    await act(async () => {});
    expect(screen.getByLabelText("Deadline")).toHaveValue("2099-01-31");
  });

  it.each([
    ["gone", undefined],
    ["somebody else's", { ...old, viewer: { ...viewer, isOwner: false } }],
  ])("When the task is %s, then the form is empty and says why", async (_, task) => {
    postAgain(task);
    expect(await screen.findByText(/no longer exists, so the form is empty/)).toBeVisible();
    expect(await field("Title")).toHaveValue("");
  });
});
