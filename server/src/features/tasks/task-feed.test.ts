import { expect, test, vi } from "vitest";
import {
  aTaskDraft,
  bidHelpers,
  inDays,
  manyTasks,
  testSettings,
  useHarness,
  usePeople,
} from "../../../test/index.ts";

const webUrl = "https://tasklane.example";
const harness = useHarness({ settings: testSettings({ webUrl }) });
const { bid, move } = bidHelpers(harness);
const [client, ada] = usePeople("Clara Client", "Ada");
const titles = (xml: string) =>
  [...xml.matchAll(/<entry>.*?<title>(.*?)<\/title>/gs)].map(([, title]) => title);

test("When the feed is read with filters, then it has the same tasks as the list, newest first, and can be cached", async () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 5, 1, 12, minute));
  await harness.insertTask({ title: "Old logo", category: "Design", createdAt: at(1) });
  await harness.insertTask({ title: "New logo", category: "Design", createdAt: at(2) });
  await harness.insertTask({ title: "A text", category: "Writing", createdAt: at(3) });
  await harness.insertTask({
    title: "Late logo",
    category: "Design",
    deadline: inDays(-1),
    createdAt: at(4),
  });
  const response = await harness.ok().get("/tasks.atom?category=Design&state=open&search=logo");
  expect(response.headers["content-type"]).toBe("application/atom+xml; charset=utf-8");
  expect(response.headers["cache-control"]).toBe("public, max-age=300");
  expect(titles(response.text)).toEqual(["New logo", "Old logo"]);
  expect(response.text).toContain(`<updated>${at(2).toISOString()}</updated>`);
  expect(response.text).toMatch(
    /rel="alternate"[^>]*tasklane[.]example\/browsetask\?category=Design&amp;search=logo"/,
  );
  expect(titles((await harness.ok().get("/tasks.atom")).text)).toContain("Late logo");
  const asked = await harness.ok().get("/tasks.atom?search=who?&category=Design");
  expect(asked.text).toContain(
    `rel="self" type="application/atom+xml" href="${webUrl}/tasks.atom?search=who?&amp;category=Design"`,
  );
  const { etag = "" } = response.headers;
  await harness
    .as()
    .get("/tasks.atom?category=Design&state=open&search=logo")
    .set("If-None-Match", etag)
    .expect(304);
});

test("When a task is edited, then its entry and the feed say when, but not after a bid or a save without changes", async () => {
  const draft = aTaskDraft({ title: "Edited zebra" });
  const id = await harness.postTask(client, draft);
  const posted = harness.clock.now.toISOString();
  const updated = async () => {
    const { text } = await harness.ok().get("/tasks.atom?search=zebra");
    return [...text.matchAll(/<updated>(.*?)<\/updated>/g)].map(([, at]) => at);
  };
  const later = () => {
    harness.advance(60_000);
    return harness.clock.now.toISOString();
  };
  later();
  await bid(id, ada);
  await harness.ok(client).put(`/tasks/${id}`, draft);
  expect(await updated()).toEqual([posted, posted]);
  const edited = later();
  await harness.ok(client).put(`/tasks/${id}`, { ...draft, budget: 77 });
  expect(await updated()).toEqual([edited, edited]);
  await move(id, client, "cancelled");
  const reopened = later();
  await move(id, client, "open", { deadline: inDays(9) });
  expect(await updated()).toEqual([reopened, reopened]);
});

test("When titles and texts contain markup, then the feed is still valid XML, and contains no email address", async () => {
  const title = `</title><script>alert("x")</script> & 'co' ]]>`;
  await harness.insertTask({ title, description: "a\u0000b <b>", email: "secret@people.example" });
  const { text } = await harness.ok().get("/tasks.atom?search=script");
  expect(titles(text)).toEqual([
    "&lt;/title&gt;&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; &apos;co&apos; ]]&gt;",
  ]);
  expect(text).toContain("ab &lt;b&gt;");
  expect(text).not.toContain("secret@");
});

test("When there are more than fifty tasks, then the feed has the newest fifty, and nothing is counted", async () => {
  const { tasks } = harness.database;
  await tasks.insertMany(manyTasks(60).map((task) => ({ ...task, category: "Marketing" as const })));
  const count = vi.spyOn(tasks, "countDocuments");
  expect(titles((await harness.ok().get("/tasks.atom?category=Marketing")).text)).toHaveLength(50);
  expect(count).not.toHaveBeenCalled();
  count.mockRestore();
});

test("When a long description is shortened, then no emoji is cut in two", async () => {
  await harness.insertTask({ title: "Emoji", description: `${"x".repeat(499)}😀and more` });
  const { text } = await harness.ok().get("/tasks.atom?search=emoji");
  expect(text).toContain("x😀…</summary>");
});
