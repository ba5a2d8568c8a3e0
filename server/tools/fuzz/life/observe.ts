import { isDeepStrictEqual } from "node:util";
import type { CheckedResponse } from "../../../test/check-response.ts";
import { whyNotAsDocumented } from "../../../test/check-response.ts";
import type { Life } from "./model.ts";
import { PEOPLE } from "./model.ts";
import type { Observation } from "./observations.ts";
import { emailOf } from "./views.ts";
import type { World } from "./world.ts";

/** Makes all observations concurrently and compares them with the expected results. @throws an error with the differences. */
export async function observe(world: World, life: Life, observations: readonly Observation[]): Promise<void> {
  const wrong = await Promise.all(observations.map((observation) => whatIsWrong(world, life, observation)));
  const found = wrong.filter((one) => one !== undefined);
  if (found.length > 0) throw new Error(found.join("\n"));
}

async function whatIsWrong(world: World, life: Life, observation: Observation): Promise<string | undefined> {
  const { who, path, counts, isUnordered, read = (body) => body } = observation;
  const response = await world.send(who, { method: "GET", path: realPath(world, path) });
  const says = (what: string) => `${who} reads ${nameTasks(life, path)}: ${what}`;
  const undocumented = whyNotAsDocumented("GET", realPath(world, path), response);
  if (undocumented) return says(undocumented);
  const body: unknown = parse(world, life, response);
  const refusal = whyRefused(life, observation);
  if (refusal !== undefined || response.status >= 400)
    return isDeepStrictEqual((body as { code?: unknown }).code, refusal)
      ? undefined
      : says(`expected ${refusal ?? "200"}, got ${response.status} ${(body as { code?: unknown }).code}`);
  const actual = read(body as never);
  const expected: unknown = JSON.parse(JSON.stringify(observation.expected));
  const differences = isUnordered
    ? compareRows(expected as object[], actual as object[])
    : compare(expected, actual);
  const count = Number(response.headers[counts?.header ?? ""]);
  if (counts && count !== counts.count)
    differences.push(`${counts.header}: expected ${counts.count}, got ${count}`);
  return differences.length === 0 ? undefined : says(differences.slice(0, 5).join("; "));
}

function whyRefused({ suspended }: Life, { who, path, expected }: Observation): string | undefined {
  if (who !== "visitor" && suspended.has(who)) return "account-suspended";
  if (expected !== undefined) return undefined;
  return path.startsWith("/profiles/") ? "person-not-found" : "task-not-found";
}

/** The response body with names instead of the ids of people and tasks, and without other ids. */
function parse(world: World, life: Life, { text }: CheckedResponse): unknown {
  return JSON.parse(nameTasks(life, world.replaceIds(text)), (key, value) =>
    LEFT_OUT.has(key) || (key === "_id" && OTHER_ID.test(value)) ? undefined : value,
  );
}

/** Fields that the model does not cover. */
const LEFT_OUT = new Set([
  "memberSince",
  "lastActiveOn",
  "unlisted",
  "editedAt",
  "hiddenBecause",
  "sentBack",
]);
const OTHER_ID = /^[\da-f]{24}$/;

function nameTasks({ tasks }: Life, text: string): string {
  return tasks.reduce((all, { id, name }) => (id ? all.replaceAll(id, name) : all), text);
}

/** The actual path: observations name people instead of their ids. */
function realPath(world: World, path: string): string {
  return PEOPLE.reduce(
    (all, person) =>
      all
        .replace(emailOf(person), encodeURIComponent(world.account(person).email))
        .replace(`/profiles/${person}`, `/profiles/${world.account(person).uid}`),
    path,
  );
}

/** The differences, one line each. */
function compare(expected: unknown, actual: unknown, place = ""): string[] {
  if (isDeepStrictEqual(expected, actual)) return [];
  if (!isObject(expected) || !isObject(actual) || Array.isArray(expected) !== Array.isArray(actual))
    return [`${place || "all"}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`];
  const names = new Set([...Object.keys(expected), ...Object.keys(actual)]);
  return [...names].flatMap((name) =>
    compare(expected[name], actual[name], place === "" ? name : `${place}.${name}`),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** Compares rows in any order, each of which must occur as often as expected. */
function compareRows(expected: readonly object[], actual: readonly object[]): string[] {
  const missing = expected.map(textOf);
  const unexpected = actual.map(textOf).filter((row) => {
    const at = missing.indexOf(row);
    if (at >= 0) missing.splice(at, 1);
    return at < 0;
  });
  return [...unexpected.map((row) => `unexpected: ${row}`), ...missing.map((row) => `missing: ${row}`)];
}

const textOf = (row: object) => JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)));
