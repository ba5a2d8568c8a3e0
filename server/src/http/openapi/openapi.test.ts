import supertest from "supertest";
import { describe, expect, test } from "vitest";
import { useHarness } from "../../../test/harness.ts";
import { ALL_ENDPOINTS } from "../../contract/endpoints.ts";
import { apiDocument } from "./document.ts";

const harness = useHarness();

test("When the OpenAPI document is requested, then it describes every endpoint and can be revalidated", async () => {
  const response = await harness.ok().get("/openapi.json");
  expect(response.headers["content-type"]).toBe("application/openapi+json; charset=utf-8");
  const document: ReturnType<typeof apiDocument> = JSON.parse(response.text ?? response.body.toString());
  expect(document).toEqual(JSON.parse(JSON.stringify(apiDocument())));
  const calls = Object.values(document.paths).flatMap((operations) => Object.values(operations));
  expect(calls.map(({ operationId }) => operationId).sort()).toEqual(
    ALL_ENDPOINTS.map(({ name }) => name).sort(),
  );
  const described = document["tags"] as { name: string }[];
  expect(described.map(({ name }) => name).sort()).toEqual([
    ...new Set(ALL_ENDPOINTS.map(({ tag }) => tag).sort()),
  ]);
  const etag = String(response.headers["etag"]);
  await harness.as().get("/openapi.json").set("If-None-Match", etag).expect(304);
});

test("When its page is opened, then everything it loads exists at this origin, and nothing is inline", async () => {
  const { text, headers } = await harness.ok().get("/api-docs");
  expect(headers["content-security-policy"]).toContain("default-src 'self'");
  expect(text).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/i);
  const files = [...text.matchAll(/ (?:src|href)="([^"]+)"/g)].map(([, path = ""]) => path);
  expect(files).toContain("/openapi.json");
  expect(files.filter((path) => path.endsWith(".js"))).toHaveLength(2);
  for (const path of files) await supertest(harness.app).get(path).expect(200);
  expect((await supertest(harness.app).get("/api-docs/start.js")).text).toContain("/openapi.json");
});

/* The nine calls of the specification: paths, payloads, query parameters and response fields. */
const FORM = ["title", "category", "description", "deadline", "budget"];
const SPECIFIED_CALLS = [
  { call: "GET /tasks/featuretasks", query: [], response: "Task[]" },
  { call: "GET /tasks", query: ["search", "sort", "category"], response: "Task[]" },
  { call: "GET /tasks", query: ["email"], response: "Task[]" },
  { call: "GET /tasks", query: [], response: "Task[]" },
  { call: "GET /tasks/{id}", query: [], response: "Task" },
  { call: "POST /tasks", query: [], body: FORM, response: "insertedId" },
  { call: "PUT /tasks/{id}", query: [], body: FORM, response: "modifiedCount" },
  { call: "DELETE /tasks/{id}", query: [], response: "deletedCount" },
  { call: "PATCH /tasks/{id}/bid", query: [], body: null, response: "modifiedCount" },
] as const;
const TASK_FIELDS = ["_id", "title", "category", "description", "deadline", "budget", "name", "bidsCount"];

describe("the specification's nine calls", () => {
  test.each(SPECIFIED_CALLS)("When $call is looked up, then it takes $query and returns $response", (row) => {
    const document = JSON.parse(JSON.stringify(apiDocument()));
    const follow = (schema: { $ref?: string }) => {
      const name = schema.$ref?.split("/").at(-1) ?? "";
      return document.components.schemas[name] ?? schema;
    };
    const [method = "", path = ""] = row.call.split(" ");
    const operation = document.paths[path][method.toLowerCase()];
    const parameters: { name: string; in: string; required?: boolean }[] = operation.parameters;
    const query = parameters.filter((parameter) => parameter.in === "query");
    expect(query.map(({ name }) => name)).toEqual(expect.arrayContaining([...row.query]));
    // Neither query parameters nor headers are required.
    expect(parameters.filter((parameter) => parameter.in !== "path" && parameter.required)).toEqual([]);

    if (!("body" in row)) expect(operation.requestBody).toBeUndefined();
    else if (row.body === null) expect(operation.requestBody.required).toBe(false);
    else {
      const body = follow(operation.requestBody.content["application/json"].schema);
      expect(body.required.sort()).toEqual([...row.body].sort());
      // The specification's form also sends `email` and `name`, which are ignored.
      expect(body.additionalProperties).not.toBe(false);
    }

    const [status] = Object.keys(operation.responses);
    expect(status).toBe(method === "POST" ? "201" : "200");
    let response = follow(operation.responses[status ?? ""].content["application/json"].schema);
    if (row.response === "Task[]") {
      expect(response.type).toBe("array");
      response = follow(response.items);
    }
    const wanted = row.response.startsWith("Task") ? TASK_FIELDS : [row.response, "acknowledged"];
    expect(response.required).toEqual(expect.arrayContaining(wanted));
    if (row.response.startsWith("Task"))
      expect(Object.keys(response.properties)).toEqual(expect.arrayContaining(["email", "clientImage"]));
    if (row.response.endsWith("Count")) expect(response.properties[row.response].type).toBe("number");
  });

  test("When the categories are looked up, then they are those of the specification", () => {
    const { TaskDraft } = apiDocument().components.schemas;
    expect(TaskDraft?.["properties"]).toMatchObject({
      category: { enum: ["Web Development", "Design", "Writing", "Marketing"] },
    });
  });
});
