import { beforeEach, describe, expect, test } from "vitest";
import { aTaskDraft } from "../../test/builders.ts";
import { expectProblem, useHarness } from "../../test/harness.ts";
import { signUp } from "../../test/people.ts";

const broken = useHarness({
  now: () => {
    throw new Error("the secret of the product");
  },
});
const cutOff = useHarness();

beforeEach(() => {
  broken.log.length = 0;
});

describe("a defect in the product", () => {
  test("When something throws, then the response is a 500 with only an id, and the log has the details with that id", async () => {
    const response = await broken.as().get("/tasks/featuretasks");
    const problem = expectProblem(response, 500, "internal");
    expect(response.text).not.toContain("secret");
    const line = broken.log.find((entry) => entry.includes("the secret of the product"));
    expect(line).toContain(problem.requestId);
    expect(response.headers["x-request-id"]).toBe(problem.requestId);
  });
});

describe("a database that is down", () => {
  test("When reads and writes arrive, then each gets a 503 with Retry-After; the process lives and is not ready", async () => {
    const ada = await signUp();
    const id = await cutOff.postTask(ada);
    await cutOff.database.close();
    const responses = [
      await cutOff.as().get("/tasks"),
      await cutOff.as(ada).get(`/tasks/${id}`),
      await cutOff.as(ada).post("/tasks", aTaskDraft()),
      await cutOff.as(ada).delete(`/tasks/${id}`),
    ];
    for (const response of responses) {
      expectProblem(response, 503, "unavailable");
      expect(response.headers["retry-after"]).toBe("2");
    }
    // A single write that was passed to the driver may have been sent.
    expectProblem(await cutOff.as(ada).delete(`/me/searches/${id}`), 503, "outcome-unknown");
    const ready = await cutOff.as().get("/ready").expect(503);
    expect(ready.body).toMatchObject({ status: "not-ready", failing: ["database"] });
    await cutOff.as().get("/health").expect(200);
  });
});
