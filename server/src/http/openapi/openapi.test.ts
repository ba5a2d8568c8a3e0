import supertest from "supertest";
import { describe, expect, test } from "vitest";
import { useHarness } from "../../../test/harness.ts";
import { ALL_ENDPOINTS } from "../../contract/endpoints.ts";
import { apiDocument } from "./document.ts";

const house = useHarness();

describe("GET /openapi.json", () => {
  test("When asked for, then it is the document of every endpoint, kept by who has it", async () => {
    const answer = await house.as().get("/openapi.json").expect(200);
    expect(answer.headers["content-type"]).toBe("application/openapi+json; charset=utf-8");
    const document: ReturnType<typeof apiDocument> = JSON.parse(answer.text ?? answer.body.toString());
    expect(document).toEqual(JSON.parse(JSON.stringify(apiDocument())));
    const calls = Object.values(document.paths).flatMap((operations) => Object.values(operations));
    expect(calls.map(({ operationId }) => operationId).sort()).toEqual(
      ALL_ENDPOINTS.map(({ name }) => name).sort(),
    );
    const etag = String(answer.headers["etag"]);
    await house.as().get("/openapi.json").set("If-None-Match", etag).expect(304);
  });

  test("When somebody's token is bad, then the document is there all the same", async () => {
    await house.as().get("/openapi.json").set("Authorization", "Bearer nonsense").expect(200);
  });
});

describe("GET /api-docs", () => {
  test("When a person opens it, then all that it loads is of this origin and there, and nothing is inline", async () => {
    const { text, headers } = await house.as().get("/api-docs").expect(200);
    expect(headers["content-security-policy"]).toContain("default-src 'self'");
    expect(text).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/i);
    const files = [...text.matchAll(/ (?:src|href)="([^"]+)"/g)].map(([, path = ""]) => path);
    expect(files).toContain("/openapi.json");
    expect(files.filter((path) => path.endsWith(".js"))).toHaveLength(2);
    for (const path of files) await supertest(house.app).get(path).expect(200);
    expect((await supertest(house.app).get("/api-docs/start.js")).text).toContain("/openapi.json");
  });
});

/* The nine calls of the specification (section 7): paths, payloads, query and the fields of answers that it names. */
const FORM = ["title", "category", "description", "deadline", "budget"];
const SPEC_ROWS = [
  { call: "GET /tasks/featuretasks", query: [], answer: "Task[]" },
  { call: "GET /tasks", query: ["search", "sort", "category"], answer: "Task[]" },
  { call: "GET /tasks", query: ["email"], answer: "Task[]" },
  { call: "GET /tasks", query: [], answer: "Task[]" },
  { call: "GET /tasks/{id}", query: [], answer: "Task" },
  { call: "POST /tasks", query: [], body: FORM, answer: "insertedId" },
  { call: "PUT /tasks/{id}", query: [], body: FORM, answer: "modifiedCount" },
  { call: "DELETE /tasks/{id}", query: [], answer: "deletedCount" },
  { call: "PATCH /tasks/{id}/bid", query: [], body: null, answer: "modifiedCount" },
] as const;
const TASK_FIELDS = ["_id", "title", "category", "description", "deadline", "budget", "name", "bidsCount"];

describe("the specification's nine calls", () => {
  test.each(SPEC_ROWS)("When $call is looked up, then it takes $query and answers $answer", (row) => {
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
    // None of them has to be there, nor any header.
    expect(parameters.filter((parameter) => parameter.in !== "path" && parameter.required)).toEqual([]);

    if (!("body" in row)) expect(operation.requestBody).toBeUndefined();
    else if (row.body === null) expect(operation.requestBody.required).toBe(false);
    else {
      const body = follow(operation.requestBody.content["application/json"].schema);
      expect(body.required.sort()).toEqual([...row.body].sort());
      // `email` and `name` come with the form; they may, and mean nothing.
      expect(body.additionalProperties).not.toBe(false);
    }

    const [status] = Object.keys(operation.responses);
    expect(status).toBe(method === "POST" ? "201" : "200");
    let answer = follow(operation.responses[status ?? ""].content["application/json"].schema);
    if (row.answer === "Task[]") {
      expect(answer.type).toBe("array");
      answer = follow(answer.items);
    }
    const wanted = row.answer.startsWith("Task") ? TASK_FIELDS : [row.answer, "acknowledged"];
    expect(answer.required).toEqual(expect.arrayContaining(wanted));
    if (row.answer.startsWith("Task"))
      expect(Object.keys(answer.properties)).toEqual(expect.arrayContaining(["email", "clientImage"]));
    if (row.answer.endsWith("Count")) expect(answer.properties[row.answer].type).toBe("number");
  });

  test("When the categories are looked up, then they are the four of the specification", () => {
    const { TaskDraft } = apiDocument().components.schemas;
    expect(TaskDraft?.["properties"]).toMatchObject({
      category: { enum: ["Web Development", "Design", "Writing", "Marketing"] },
    });
  });
});
