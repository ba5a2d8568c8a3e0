import { beforeEach, expect, test } from "vitest";
import { expectProblem, useHarness } from "../../test/harness.ts";

const broken = useHarness({
  now: () => {
    throw new Error("the secret of the product");
  },
});

beforeEach(() => {
  broken.log.length = 0;
});

test("When something throws, then the response is a 500 with only an id, and the log has the details with that id", async () => {
  const response = await broken.as().get("/tasks/featuretasks");
  const problem = expectProblem(response, 500, "internal");
  expect(response.text).not.toContain("secret");
  const line = broken.log.find((entry) => entry.includes("the secret of the product"));
  expect(line).toContain(problem.requestId);
  expect(response.headers["x-request-id"]).toBe(problem.requestId);
});
