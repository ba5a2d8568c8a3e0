import { EMPTY_PROFILE, type TaskFile, type Upload } from "@tasklane/server/contract";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { ApiProblem } from "../../lib/problem.ts";
import { aTask, CLIENT, HIRED, ID } from "../../testing/builders.ts";
import { fillInTask } from "../../testing/fill-in-task.ts";
import { openApp } from "../../testing/open-app.tsx";
import { uploads } from "./upload.tsx";

type Hooks = Parameters<typeof uploads.start>[1];
const sent: { file: File; hooks: Hooks; cancel: () => void; retry: () => void }[] = [];
beforeEach(() => {
  sent.length = 0;
  vi.spyOn(uploads, "start").mockImplementation((file, hooks) => {
    const upload = { file, hooks, cancel: vi.fn(), retry: vi.fn() };
    sent.push(upload);
    return upload;
  });
});

const FILE_ID = "6b0a70000000000000000001";
const aFile = (name = "brief.txt", size = 5) => new File(["x".repeat(size)], name);

/** Opens the form for a new task, filled in. The server says this about every upload. */
async function openForm(upload: Partial<Upload> = {}) {
  const ready = { _id: FILE_ID, name: "brief.txt", size: 5, type: "application/octet-stream" };
  const status = { state: "ready", name: "brief.txt", ...(!upload.state && { file: ready }), ...upload };
  const app = openApp("/dash/addtask", {
    "GET /files/:id": status,
    "POST /tasks": { acknowledged: true, insertedId: ID },
  });
  const chooser = await screen.findByLabelText("Attach files");
  const choose = (...files: File[]) => app.user.upload(chooser, files);
  const fillIn = () => fillInTask(app, "A logo");
  const send = () => app.press("Add Task");
  const finish = () => act(async () => sent.at(-1)?.hooks.onDone(FILE_ID));
  return { ...app, choose, fillIn, send, finish };
}

it("When a form is sent before its file has arrived, then the field says so and nothing is sent; afterwards the task is posted with it", async () => {
  const { choose, fillIn, send, finish, writes } = await openForm();
  await choose(aFile("brief.txt", 4_000));
  act(() => sent[0]?.hooks.onProgress(2_000));
  expect(screen.getByText("2 kB of 4 kB")).toBeVisible();
  expect(screen.getByRole("progressbar", { name: "brief.txt" })).toHaveValue(2_000);
  await fillIn();
  await send();
  const chooser = screen.getByLabelText("Attach files");
  await waitFor(() => expect(chooser).toHaveAccessibleDescription(/This file is not uploaded/));
  expect(writes()).toEqual([]);
  await finish();
  await screen.findByRole("button", { name: "Remove brief.txt" });
  await send();
  await screen.findByText("Your Add Task Successfully");
  expect(writes()[0]?.body).toMatchObject({ files: [FILE_ID] });
});

it("When the connection is lost, then the row says so, and goes on when somebody asks for it or the connection is back", async () => {
  const { press, choose } = await openForm();
  await choose(aFile());
  act(() => sent[0]?.hooks.onError("The connection was lost."));
  expect(screen.getByText("The connection was lost.")).toBeVisible();
  await press("Upload brief.txt again");
  expect(sent[0]?.retry).toHaveBeenCalledTimes(1);
  expect(screen.queryByText("The connection was lost.")).toBeNull();
  act(() => sent[0]?.hooks.onError("The connection was lost."));
  act(() => void window.dispatchEvent(new Event("online")));
  expect(sent[0]?.retry).toHaveBeenCalledTimes(2);
});

it("When the server refuses a file, then its row says why, and the form can be sent once it is removed", async () => {
  const reason = "The virus scanner found Evil.Test.";
  const { press, choose, fillIn, send, finish, writes } = await openForm({ state: "refused", reason });
  await choose(aFile());
  await finish();
  expect(await screen.findByText(reason)).toBeVisible();
  await fillIn();
  await send();
  await screen.findByText(/This file is not uploaded/);
  await press("Remove brief.txt");
  await send();
  await screen.findByText("Your Add Task Successfully");
  expect(writes()[0]?.body).toMatchObject({ files: [] });
});

it("When a file is empty or too large, then that is said at once, and nothing is uploaded", async () => {
  const { choose } = await openForm();
  const large = aFile("film.mov");
  Object.defineProperty(large, "size", { value: 25_000_001 });
  await choose(aFile("nothing.txt", 0), large);
  expect(screen.getByText("The file is empty.")).toBeVisible();
  expect(screen.getByText("A file can have at most 25 MB.")).toBeVisible();
  expect(sent).toEqual([]);
});

it("When more files are added than fit, then the first ten are uploaded, and the field says how many were left out", async () => {
  const { choose, press } = await openForm();
  await choose(...Array.from({ length: 9 }, (_, index) => aFile(`${index}.txt`)));
  const dropped = Array.from({ length: 33_000 }, (_, index) => aFile(`more-${index}.txt`, 1));
  fireEvent.drop(screen.getByLabelText("Attach files"), { dataTransfer: { files: dropped } });
  expect(screen.getByText("At most 10 files: 32,999 files were left out.")).toBeVisible();
  expect(sent).toHaveLength(10);
  await press("Remove 0.txt");
  expect(screen.queryByText(/left out/)).toBeNull();
});

it("When text is pasted from an office program, which copies a picture along, then it is pasted as text", async () => {
  await openForm();
  const clipboardData = {
    files: [aFile("image.png")],
    types: ["text/plain", "text/html", "text/rtf", "Files"],
  };
  expect(fireEvent.paste(screen.getByLabelText("Description"), { clipboardData })).toBe(true);
  expect(sent).toEqual([]);
});

it("When files are dropped or pasted into the form, then they are uploaded like chosen ones, and cancelled when removed or left", async () => {
  const { press, router } = await openForm();
  const chooser = screen.getByLabelText("Attach files");
  fireEvent.drop(chooser, { dataTransfer: { files: [aFile("dropped.txt")] } });
  fireEvent.paste(screen.getByLabelText("Title"), { clipboardData: { files: [aFile("pasted.png")] } });
  expect(sent.map(({ file }) => file.name)).toEqual(["dropped.txt", "pasted.png"]);
  await press("Remove dropped.txt");
  expect(sent[0]?.cancel).toHaveBeenCalled();
  expect(chooser).toHaveFocus();
  void router.navigate("/");
  await press("Leave");
  await waitFor(() => expect(sent[1]?.cancel).toHaveBeenCalled());
});

it("When the same file is chosen twice while it is being sent, and so arrives once, then the form has it once", async () => {
  const { choose, fillIn, send, writes } = await openForm();
  await choose(aFile(), aFile());
  for (const { hooks } of sent) act(() => hooks.onDone(FILE_ID));
  await screen.findByRole("button", { name: "Remove brief.txt" });
  await fillIn();
  await send();
  await screen.findByText("Your Add Task Successfully");
  expect(writes()[0]?.body).toMatchObject({ files: [FILE_ID] });
});

it("When a portfolio is left unsaved, then its files are still there in Settings, until they are saved", async () => {
  const open = async () => {
    const file = { _id: FILE_ID, name: "work.png", size: 5, type: "image/png" };
    const app = openApp("/dash/settings", {
      "GET /files/:id": { state: "ready", name: file.name, file },
      "PUT /me/files": { acknowledged: true, matchedCount: 1, modifiedCount: 1 },
    });
    return { ...app, chooser: await screen.findByLabelText("Add work") };
  };
  const { user, chooser } = await open();
  await user.upload(chooser, aFile("work.png"));
  await act(async () => sent[0]?.hooks.onDone(FILE_ID));
  await screen.findByRole("button", { name: "Remove work.png" });
  document.body.replaceChildren();
  const { press, writes } = await open();
  await screen.findByRole("button", { name: "Remove work.png" });
  await press("Save portfolio");
  await waitFor(() => expect(writes()[0]?.body).toEqual({ portfolio: [FILE_ID] }));
  const drafts = () => Object.keys(localStorage).filter((key) => key.endsWith(".portfolio"));
  await waitFor(() => expect(drafts()).toEqual([]));
});

it("When a portfolio was saved in another tab meanwhile, then saving it here keeps what was added there, and removes only what was removed here", async () => {
  const work = (id: string) => ({ _id: id.repeat(24), name: `${id}.png`, size: 5, type: "image/png" });
  const [first, second, added] = [work("1"), work("2"), work("3")];
  let stored = [first, second];
  const { press, writes } = openApp("/dash/settings", {
    "GET /me/profile": () => ({ ...EMPTY_PROFILE, portfolio: stored }),
    "GET /files/:id": ({ path }) => {
      const file = [first, second, added].find(({ _id }) => path.endsWith(_id));
      return { state: "ready", name: file?.name, file };
    },
    "PUT /me/files": { acknowledged: true, matchedCount: 1, modifiedCount: 1 },
  });
  await press("Remove 1.png");
  stored = [first, second, added];
  await press("Save portfolio");
  await waitFor(() => expect(writes()[0]?.body).toEqual({ portfolio: [second._id, added._id] }));
});

it("When somebody reads a task, then they find its files and those of a delivery where they belong, and that nobody has scanned them", async () => {
  const file = { size: 1_500_000, type: "application/pdf", unscanned: true } as const;
  const files: TaskFile[] = [
    { ...file, _id: "f1", name: "brief.pdf", place: "task", on: ID, by: "client" },
    { ...file, _id: "f2", name: "work.pdf", place: "delivery", on: "step1", by: "freelancer" },
  ];
  openApp(`/dash/taskdetails/${ID}`, {
    "GET /tasks/:id": aTask({ _id: ID, state: "delivered", wasAwarded: true, viewer: HIRED }),
    "GET /tasks/:id/files": files,
    "GET /tasks/:id/timeline": {
      entries: [
        { _id: ID, kind: "posted", at: "2026-01-01T12:00:00Z" },
        { _id: "step1", kind: "delivered", by: "freelancer", note: "Done.", at: "2026-01-02T12:00:00Z" },
      ],
    },
  });
  const brief = await screen.findByRole("list", { name: "Files of this task" });
  expect(within(brief).getByText("brief.pdf")).toBeVisible();
  expect(within(brief).getByText("1.5 MB")).toBeVisible();
  const delivered = await screen.findByRole("list", { name: "Delivered files" });
  const download = within(delivered).getByRole("button", { name: "Download work.pdf" });
  expect(download).toHaveAttribute("data-tooltip-content", "Download work.pdf");
  expect(screen.getAllByText(/^Not scanned for viruses/)).toHaveLength(2);
});

it.each([`/dash/bids/${ID}`, `/dash/myposttask?bids=${ID}`])(
  "When the files of a task do not load on %s, then it says so once, and they can be loaded again",
  async (path) => {
    const { press, server } = openApp(path, {
      "GET /tasks": [aTask({ _id: ID, bidsCount: 1 })],
      "GET /tasks/:id": aTask({ _id: ID, bidsCount: 1, viewer: CLIENT }),
    });
    server.fails["GET /tasks/:id/files"] = new ApiProblem("internal", 500, "Oops");
    const failure = await screen.findByText("The attached files could not be loaded.");
    server.fails["GET /tasks/:id/files"] = undefined;
    await press("Try again");
    await waitFor(() => expect(failure).not.toBeInTheDocument());
  },
);

it("When a picture does not load, then its preview says so", async () => {
  vi.spyOn(globalThis, "fetch").mockRejectedValue(new TypeError("Failed to fetch"));
  const file = { _id: "f1", name: "fox.png", size: 5, type: "image/png", picture: true };
  const { press } = openApp(`/taskdetails/${ID}`, {
    "GET /tasks/:id": aTask({ _id: ID, viewer: CLIENT }),
    "GET /tasks/:id/files": [{ ...file, place: "task", on: ID, by: "client" }],
  });
  await press("Show fox.png");
  await screen.findByText("The picture could not be loaded.");
});
