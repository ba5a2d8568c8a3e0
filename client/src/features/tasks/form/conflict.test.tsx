import type { PostedDraft, Task } from "@tasklane/server/contract";
import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { ApiProblem, offlineProblem } from "../../../lib/problem.ts";
import { aStoredTask, CLIENT, ID } from "../../../testing/builders.ts";
import { findEnabled } from "../../../testing/find.ts";
import { createServer, openApp } from "../../../testing/open-app.tsx";
import { uploads } from "../../files/upload.tsx";

const FILE = { _id: "", name: "a.txt", size: 5, type: "text/plain", place: "task", on: ID, by: "client" };

/** A server with optimistic locking: it refuses a save over any version but the current one. */
function aServer() {
  const viewer = { ...CLIENT, showEmail: true };
  const world = aStoredTask({ budget: 100, deadline: "2099-01-01", viewer });
  let attached: string[] = [];
  const save = (fields: Partial<Task>, files = attached) => {
    attached = files;
    world.change(fields);
  };
  const server = createServer({
    "GET /tasks": () => [world.task],
    "GET /tasks/:id": () => world.task,
    "GET /tasks/:id/files": () => attached.map((_id) => ({ ...FILE, _id })),
    "GET /files/:id": { state: "ready", name: FILE.name, file: FILE },
    "PUT /tasks/:id": ({ body, headers }) => {
      if (headers?.["If-Match"] !== `"${world.task.version}"`)
        throw new ApiProblem("changed-meanwhile", 412, "This task was changed in the meantime");
      const { files, ...fields } = body as PostedDraft;
      save(fields, files);
    },
  });
  return { server, world, save };
}

const title = () => screen.findByLabelText("Title");

/** Opens the form, also a second time, as after a reload. */
function openForm({ server }: ReturnType<typeof aServer>) {
  document.body.replaceChildren();
  const { user, fill, router } = openApp(`/dash/updatetask/${ID}`, {}, { server });
  const press = async (name: string) => user.click(await findEnabled(name));
  const save = () => press("Update Task");
  return { user, router, fill, press, save };
}
const saved = () => screen.findByText("Update Task Successfully");
const refused = () => screen.findByText(/This task was changed in the meantime/);

/** A title and a deadline are typed while another title and budget are saved elsewhere, so the save is refused. */
async function openConflict() {
  const theirs = aServer();
  const form = openForm(theirs);
  await form.fill("Title", "A hare");
  await form.fill("Deadline", "2099-02-02");
  theirs.save({ title: "A wolf", budget: 200 });
  await form.save();
  expect((await refused()).closest("[tabindex]")).toHaveFocus();
  return { ...theirs, form };
}

it("When the task was saved elsewhere, then saving again replaces only the version that the user was told of", async () => {
  const { server, world, save, form } = await openConflict();
  save({ title: "A bear" });
  const respond = server.hold("writes");
  await form.save();
  await screen.findByRole("button", { name: "Saving…" });
  respond();
  await refused();
  expect(world.task.title).toBe("A bear");
  expect(await title()).toHaveValue("A hare");
  await form.save();
  await saved();
  expect(server.writes().map(({ headers }) => headers?.["If-Match"])).toEqual(['"3"', '"4"', '"5"']);
  expect(world.task).toMatchObject({ title: "A hare", budget: 100, deadline: "2099-02-02" });
});

it("When the user wants what is saved, then the form shows it, has the focus and no draft", async () => {
  const { form } = await openConflict();
  await form.press("show what is saved");
  expect(await title()).toHaveValue("A wolf");
  await waitFor(async () => expect(await title()).toHaveFocus());
  expect(screen.queryByText(/changed in the meantime|draft you left unsent/)).toBeNull();
  expect(Object.values(localStorage).join()).not.toContain("A hare");
});

it("When the page is reloaded before the user decides, then what they typed is still there, and saving replaces what they were told of", async () => {
  const { form, ...theirs } = await openConflict();
  await form.fill("Title", "A hare!");
  const after = openForm(theirs);
  expect(await title()).toHaveValue("A hare!");
  await after.save();
  await saved();
  expect(theirs.world.task).toMatchObject({ title: "A hare!", budget: 100, version: 5 });
});

it("When only a file was attached, then it is a change as any other: its draft stays, and it is not taken for saved", async () => {
  const [mine, theirOwn] = ["1".repeat(24), "2".repeat(24)];
  const theirs = aServer();
  const { user, router, press } = openForm(theirs);
  const start = vi.spyOn(uploads, "start").mockReturnValue({ cancel() {}, retry() {} });
  await user.upload(await screen.findByLabelText("Attach files"), new File(["x"], "mine.txt"));
  act(() => start.mock.lastCall?.[1].onDone(mine));
  void router.navigate("/dash/myposttask");
  await press("Leave");
  await screen.findByRole("heading", { name: "My Posted Tasks" });
  const form = openForm(theirs);
  await screen.findByText("This is the draft you left unsent.");
  theirs.save({}, [theirOwn]);
  await form.save();
  await refused();
  expect(screen.queryByText("Update Task Successfully")).toBeNull();
  await form.press("show what is saved");
  await form.fill("Title", "A hare");
  await form.save();
  await saved();
  const sent = theirs.server.writes().map(({ body }) => body);
  expect(sent).toMatchObject([{ files: [mine] }, { title: "A hare", files: [theirOwn] }]);
});

it("When the task was awarded meanwhile, then its terms are fixed, can still be read, and give way to what is saved", async () => {
  const { server, world, save } = aServer();
  const form = openForm({ server, world, save });
  await form.fill("Title", "A hare");
  save({ state: "awarded" });
  await form.save();
  await refused();
  expect(await title()).toHaveValue("A hare");
  expect(await title()).toHaveAttribute("readonly");
  const start = vi.spyOn(uploads, "start");
  fireEvent.paste(await title(), { clipboardData: { files: [new File(["x"], "late.txt")] } });
  expect(start).not.toHaveBeenCalled();
  server.fails.writes = new ApiProblem("task-locked", 409, "The terms of this task are fixed.");
  await form.save();
  await screen.findByText(/terms of this task are fixed/);
  await form.press("show what is saved");
  expect(await title()).toHaveValue("A fox");
  await form.fill("Deadline", "2099-02-02");
  server.fails.writes = undefined;
  await form.save();
  await saved();
  expect(world.task).toMatchObject({ title: "A fox", deadline: "2099-02-02", state: "awarded" });
});

it("When only the response to the user's own save got lost, then a reload restores no draft, and saving again succeeds without a conflict", async () => {
  for (const reloads of [true, false]) {
    const theirs = aServer();
    const form = openForm(theirs);
    theirs.server.loses = offlineProblem();
    await form.fill("Title", "A hare");
    await form.save();
    await screen.findByText(/We can't reach Tasklane/);
    theirs.server.loses = undefined;
    if (reloads) {
      openForm(theirs);
      expect(await title()).toHaveValue("A hare");
      expect(screen.queryByText(/draft you left unsent/)).toBeNull();
      expect(localStorage).toHaveLength(0);
    } else {
      await form.save();
      await saved();
      expect(theirs.world.task).toMatchObject({ title: "A hare", version: 4 });
    }
  }
});

it("When a draft of an older version is opened again, then it is labelled, overwrites nothing unseen, and can be discarded", async () => {
  const theirs = aServer();
  await openForm(theirs).fill("Deadline", "2099-02-02");
  theirs.save({ title: "A wolf" });
  const again = openForm(theirs);
  await screen.findByText("This is the draft you left unsent.");
  expect(screen.getByLabelText("Deadline")).toHaveValue("2099-02-02");
  await again.save();
  await screen.findByRole("button", { name: "show what is saved" });
  expect(theirs.world.task).toMatchObject({ title: "A wolf", version: 4 });
  await again.press("Discard draft");
  expect(await title()).toHaveValue("A wolf");
  expect(screen.getByLabelText("Deadline")).toHaveValue("2099-01-01");
  await again.fill("Deadline", "2099-03-03");
  await again.save();
  await saved();
  expect(theirs.world.task).toMatchObject({ title: "A wolf", deadline: "2099-03-03" });
});
