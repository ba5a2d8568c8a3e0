import { type Db, MongoServerError } from "mongodb";
import type { Logger } from "pino";
import { COLLECTIONS, type CollectionName } from "./collections.ts";
import { toMongoSchema } from "./mongo-schema.ts";

/**
 * What the database itself enforces of a collection's documents: whatever gets past the schemas of the API, or is written
 * by another program, is refused, fields that nobody declared included.
 */
export function rulesOf(name: CollectionName) {
  const validator = { $jsonSchema: toMongoSchema(COLLECTIONS[name]) };
  return { validator, validationLevel: "strict", validationAction: "error" } as const;
}

const UNAUTHORIZED = 13;

/**
 * Makes the rules of a collection the declared ones, if they are not. A database user who may not do that (MongoDB's
 * `readWrite` may create a collection with rules and not change them) is a warning, not the end.
 */
export async function ensureRules(
  db: Db,
  name: CollectionName,
  log: Pick<Logger, "info" | "warn">,
): Promise<void> {
  const declared = rulesOf(name);
  const [present] = await db.listCollections({ name }).toArray();
  const options: Options = present && "options" in present ? (present.options ?? {}) : {};
  const { validator, validationLevel, validationAction } = options;
  if (canonical({ validator, validationLevel, validationAction }) === canonical(declared)) return;
  try {
    await db.command({ collMod: name, ...declared });
    log.info({ collection: name }, "document rules set");
  } catch (error) {
    if (!(error instanceof MongoServerError) || error.code !== UNAUTHORIZED) throw error;
    log.warn(
      { collection: name },
      "document rules differ from what is declared, and this user may not set them",
    );
  }
}

type Options = { validator?: unknown; validationLevel?: unknown; validationAction?: unknown };

// The order of fields means nothing in a schema.
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
