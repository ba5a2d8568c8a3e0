import { type Document, ObjectId } from "mongodb";
import { expect, test } from "vitest";
import type * as z from "zod/mini";
import {
  aBidDoc,
  aConversationDoc,
  aDisputeDoc,
  aFileDoc,
  anAwardOf,
  aTaskDoc,
  deletionHelpers,
  useHarness,
} from "../../../test/index.ts";
import { COLLECTIONS, type CollectionName } from "../../db/collections.ts";
import { uid } from "../../db/mongo-schema.ts";

/*
 * Derived from the stored schemas, so a new field with somebody's uid is tested as soon as it is declared: a deletion
 * must remove it, and no export may give it to anybody else.
 */

const harness = useHarness();
const { scene, remove, tracesOf } = deletionHelpers(harness);

/** Other people's uids that an export contains, and why. They are the ids of public profiles. */
const EXPORTED: Record<string, string> = {
  "tasks.award.freelancerId": "whom the client hired",
  "questions.clientId": "whom the person asked",
  "reviews.subjectId": "whom the person reviewed",
};

type Place = { collection: CollectionName; path: string; isList: boolean };

/** The places in documents of this schema that hold a uid. */
function uidsIn(
  schema: z.core.$ZodType,
  path: string[],
  isList = false,
): { path: string; isList: boolean }[] {
  if (schema === uid) return [{ path: path.join("."), isList }];
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === "object")
    return Object.entries(def.shape).flatMap(([field, inner]) => uidsIn(inner, [...path, field], isList));
  if (def.type === "array") return uidsIn(def.element, path, def.element === uid);
  if (def.type === "optional" || def.type === "nullable") return uidsIn(def.innerType, path, isList);
  if (def.type === "union") return def.options.flatMap((option) => uidsIn(option, path, isList));
  return [];
}

const PLACES: Place[] = (Object.keys(COLLECTIONS) as CollectionName[]).flatMap((collection) =>
  uidsIn(COLLECTIONS[collection], []).map((place) => ({ collection, ...place })),
);

const LONG_AGO = new Date("2026-01-02T03:04:05Z");

/** A document with this person's uid in one place and somebody else's in all others of its collection. */
function documentWith(mine: string, { collection, path }: Place): Document {
  const dates = { createdAt: LONG_AGO, at: LONG_AGO, memberSince: LONG_AGO };
  const award = anAwardOf(aBidDoc());
  const bases: { [name in CollectionName]?: Document } = {
    tasks: aTaskDoc({ state: "completed", award: { ...award, at: LONG_AGO } }),
    bids: aBidDoc(),
    conversations: aConversationDoc(),
    notifications: {
      kind: "new-bid",
      taskId: new ObjectId(),
      taskTitle: "A logo",
      asClient: true,
      readAt: null,
    },
    disputes: aDisputeDoc({ state: "decided" }),
    files: aFileDoc({ place: { kind: "message" } }),
    jobs: { announcement: { createdAt: LONG_AGO } },
  };
  const document: Document = { _id: new ObjectId(), ...bases[collection], ...dates };
  for (const place of PLACES.filter((one) => one.collection === collection)) {
    const value = place.path === path ? mine : `other in ${nameOf(place)}`;
    set(document, place.path, place.isList ? [value] : value);
  }
  // Notifications are read by their recipient.
  if (path === "readBy") document["recipientId"] = mine;
  if (path === "recipientId") document["readBy"] = mine;
  // Only its members are named in a conversation.
  if (collection === "conversations" && path !== "freelancerId") document["clientId"] = mine;
  if (collection === "conversations")
    document["memberIds"] = [document["clientId"], document["freelancerId"]];
  return document;
}

function set(document: Document, path: string, value: unknown): void {
  const [field = "", ...rest] = path.split(".");
  if (rest.length === 0) document[field] = value;
  else for (const inner of [document[field]].flat()) set(inner, rest.join("."), value);
}

/** Stores a document with this person's uid in each place where it can be. */
async function insertAll(mine: string): Promise<void> {
  for (const place of ACTIVE) {
    const collection = harness.database.db.collection(place.collection);
    // Only uids and dates matter here, so the documents lack other fields.
    await collection.insertOne(documentWith(mine, place), { bypassDocumentValidation: true });
  }
}

const nameOf = ({ collection, path }: Place) => `${collection}.${path}`;

test("When the schemas are read, then the places of uids are found", () => {
  const names = PLACES.map(nameOf);
  expect(names).toEqual(expect.arrayContaining(["tasks.award.freelancerId", "bids.bidderId", "people._id"]));
  for (const name of Object.keys(EXPORTED)) expect(names).toContain(name);
});

/** A suspended person can neither delete their account nor export it. */
const ACTIVE = PLACES.filter((place) => nameOf(place) !== "suspensions._id");

test("When an account is deleted, then its uid is stored nowhere anymore, except in the record of the deletion", async () => {
  await insertAll(scene.leaver.uid);
  await remove(scene.leaver);
  expect(await tracesOf(scene.leaver)).toEqual([]);
});

test("When a person exports their data, then it contains nobody else's uid that they do not know", async () => {
  await insertAll(scene.leaver.uid);
  const { text } = await harness.ok(scene.leaver).get("/me/export");
  const others = [...text.matchAll(/other in ([\w.]+)/g)].map(([, name = ""]) => name);
  expect(others).not.toEqual([]);
  expect(others.filter((name) => !(name in EXPORTED))).toEqual([]);
});
