import type { CommandStartedEvent, Document } from "mongodb";
import { SHARD_KEYS } from "../src/db/indexes.ts";

type Sharded = keyof typeof SHARD_KEYS;

/**
 * What may ask every shard, by a field of its filter: DEPLOY.md says what each costs. Reads, and writes of many documents;
 * whoever writes one document names its shard key always.
 */
const SCATTERED: { [C in Sharded]: readonly string[] } = {
  // Lists, search, figures, and what is due: all that is not about one task.
  tasks: ["*"],
  bids: [
    // What somebody bid on, and what they wrote.
    "bidderId",
    // What is reported, for operators.
    "_id",
  ],
  notifications: [
    // Emails that wait, and news that nobody has begun to email.
    "mail.dueAt",
    "mail",
    // Whose name stands in them, when an account is deleted.
    "actorId",
    "_id",
  ],
  conversations: [
    // Somebody's conversations, one of them, and those with one other person.
    "memberIds",
    "unreadBy",
    "clientId",
    "_id",
    // Messages that were not read in time.
    "noticeAt",
  ],
};

/** What looks at whole collections: once at the start of an instance, and when everything is verified. */
const THROUGH_ALL = ["src/db/index-hints.ts", "src/db/verify-data.ts"];

type Asked = { filter: Document; isOneWrite: boolean };

/** What a command looks for in a sharded collection. */
function askedOf({ commandName, command }: CommandStartedEvent): Asked[] {
  switch (commandName) {
    case "find":
      return [{ filter: command["filter"] ?? {}, isOneWrite: false }];
    case "count":
    case "distinct":
      return [{ filter: command["query"] ?? {}, isOneWrite: false }];
    case "aggregate":
      return [{ filter: command["pipeline"][0]?.$match ?? {}, isOneWrite: false }];
    case "findAndModify":
      return [{ filter: command["query"], isOneWrite: true }];
    case "update":
      return command["updates"].map(({ q, multi }: Document) => ({ filter: q, isOneWrite: !multi }));
    case "delete":
      return command["deletes"].map(({ q, limit }: Document) => ({ filter: q, isOneWrite: limit === 1 }));
    default:
      return [];
  }
}

const isEqual = (value: unknown) =>
  value !== undefined && !Object.keys(Object(value)).some((name) => name.startsWith("$"));

/** Does the filter say which shards hold what it finds? */
function namesKey(filter: Document, key: string, isOneWrite: boolean): boolean {
  const value = filter[key];
  if (isEqual(value) || (!isOneWrite && value?.$in)) return true;
  const { $and = [], $or = [] } = filter as { $and?: Document[]; $or?: Document[] };
  const names = (part: Document) => namesKey(part, key, isOneWrite);
  return $and.some(names) || ($or.length > 0 && !isOneWrite && $or.every(names));
}

function fieldsOf(filter: Document): string[] {
  return Object.entries(filter).flatMap(([name, value]) =>
    name === "$and" || name === "$or" ? (value as Document[]).flatMap(fieldsOf) : name,
  );
}

/** Why the command could not be sent to a sharded cluster, or should not; undefined if nothing speaks against it. */
export function whyNotForShards(sent: CommandStartedEvent): string | undefined {
  const { commandName, command } = sent;
  const collection = command[commandName] as Sharded;
  if (!Object.hasOwn(SHARD_KEYS, collection)) return undefined;
  const [key = ""] = Object.keys(SHARD_KEYS[collection]);
  const allowed = SCATTERED[collection];
  const wrong = askedOf(sent).find(({ filter, isOneWrite }) => {
    if (namesKey(filter, key, isOneWrite)) return false;
    return isOneWrite || !["*", ...fieldsOf(filter)].some((field) => allowed.includes(field));
  });
  return wrong && `${commandName} ${collection} by ${fieldsOf(wrong.filter).join(", ") || "nothing"}`;
}

const FRAME = /\/server\/((?:src|test|dev|fuzz|bench|chaos)\/[^\s:)]+)/;

/** The file of ours that asked the database, whatever it awaited on the way. */
function asker(): string | undefined {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 100;
  const { stack = "" } = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  const files = stack.split("\n").flatMap((line) => FRAME.exec(line)?.[1] ?? []);
  return files.find((file) => file !== "test/shard-keys.ts");
}

/** Listens to a database's commands, and keeps those of the product that are not for shards. Tests may ask as they like. */
export function shardWatch() {
  const wrong = new Set<string>();
  const askers = new Set<string>();
  return {
    onCommand(sent: CommandStartedEvent): void {
      const collection = sent.command[sent.commandName] as string;
      if (!Object.hasOwn(SHARD_KEYS, collection)) return;
      const file = asker();
      if (!file?.startsWith("src/") || file.endsWith(".test.ts")) return;
      askers.add(file);
      const why = THROUGH_ALL.includes(file) ? undefined : whyNotForShards(sent);
      if (why) wrong.add(`${file}: ${why}`);
    },
    /** What a sharded cluster would refuse or be slow at. */
    wrong: () => [...wrong].sort(),
    /** The files of the product that were heard. */
    askers: () => [...askers].sort(),
  };
}
