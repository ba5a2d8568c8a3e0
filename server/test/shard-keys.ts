import type { CommandStartedEvent, Document } from "mongodb";
import { SHARD_KEYS } from "../src/db/indexes.ts";

type Sharded = keyof typeof SHARD_KEYS;

/**
 * The reads and multi-document writes that may ask every shard, by a field of their filter. Writes of a single document must always name its shard key.
 */
const SCATTERED: { [C in Sharded]: readonly string[] } = {
  // Lists, search, statistics and periodic jobs: everything that is not about one task.
  tasks: ["*"],
  bids: [
    // A person's own bids and messages in them.
    "bidderId",
    // Reported bids, for operators.
    "_id",
  ],
  notifications: [
    // Due emails, and notifications not emailed yet.
    "mail.dueAt",
    "mail",
    // Notifications that name a person, when their account is deleted.
    "actorId",
    // The number of people who are invited to a task.
    "taskId",
    "_id",
  ],
  conversations: [
    // A person's conversations, one of them, and those with one other person.
    "memberIds",
    "unreadBy",
    "clientId",
    "_id",
  ],
};

type Query = { filter: Document; isSingleWrite: boolean };

/** The filters of a command on a sharded collection. */
function queriesOf({ commandName, command }: CommandStartedEvent): Query[] {
  switch (commandName) {
    case "find":
      return [{ filter: command["filter"] ?? {}, isSingleWrite: false }];
    case "count":
    case "distinct":
      return [{ filter: command["query"] ?? {}, isSingleWrite: false }];
    case "aggregate":
      return [{ filter: command["pipeline"][0]?.$match ?? {}, isSingleWrite: false }];
    case "findAndModify":
      return [{ filter: command["query"], isSingleWrite: true }];
    case "update":
      return command["updates"].map(({ q, multi }: Document) => ({ filter: q, isSingleWrite: !multi }));
    case "delete":
      return command["deletes"].map(({ q, limit }: Document) => ({ filter: q, isSingleWrite: limit === 1 }));
    default:
      return [];
  }
}

const isEqual = (value: unknown) =>
  value !== undefined && !Object.keys(Object(value)).some((name) => name.startsWith("$"));

/** Whether the filter names the shard key, and so limits which shards are asked. */
function namesKey(filter: Document, key: string, isSingleWrite: boolean): boolean {
  const value = filter[key];
  if (isEqual(value) || (!isSingleWrite && value?.$in)) return true;
  const { $and = [], $or = [] } = filter as { $and?: Document[]; $or?: Document[] };
  const names = (part: Document) => namesKey(part, key, isSingleWrite);
  return $and.some(names) || ($or.length > 0 && !isSingleWrite && $or.every(names));
}

function fieldsOf(filter: Document): string[] {
  return Object.entries(filter).flatMap(([name, value]) =>
    name === "$and" || name === "$or" ? (value as Document[]).flatMap(fieldsOf) : name,
  );
}

/** Describes a command that a sharded cluster would reject or unexpectedly send to all shards; undefined if none. */
export function whyNotForShards(sent: CommandStartedEvent): string | undefined {
  const { commandName, command } = sent;
  const collection = command[commandName] as Sharded;
  if (!Object.hasOwn(SHARD_KEYS, collection)) return undefined;
  const [key = ""] = Object.keys(SHARD_KEYS[collection]);
  const allowed = SCATTERED[collection];
  const wrong = queriesOf(sent).find(({ filter, isSingleWrite }) => {
    if (namesKey(filter, key, isSingleWrite)) return false;
    return isSingleWrite || !["*", ...fieldsOf(filter)].some((field) => allowed.includes(field));
  });
  return wrong && `${commandName} ${collection} by ${fieldsOf(wrong.filter).join(", ") || "nothing"}`;
}

const FRAME = /\/server\/((?:src|test|tools)\/[^\s:)]+)/;

/** The project's file that called the database, from the (asynchronous) stack trace. */
function callingFile(): string | undefined {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 100;
  const { stack = "" } = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  const files = stack.split("\n").flatMap((line) => FRAME.exec(line)?.[1] ?? []);
  return files.find((file) => file !== "test/shard-keys.ts");
}

/**
 * Listens to a database's commands and collects the product's violations of these rules; tests may query freely.
 * @param whyNot what is wrong with a command.
 */
export function shardWatch(whyNot = whyNotForShards) {
  const violations = new Set<string>();
  return {
    onCommand(sent: CommandStartedEvent): void {
      const why = whyNot(sent);
      const file = why && callingFile();
      if (!file?.startsWith("src/") || file.endsWith(".test.ts")) return;
      violations.add(`${file}: ${why}`);
    },
    /** Commands that a sharded cluster would reject or answer slowly. */
    violations: () => [...violations].sort(),
  };
}
