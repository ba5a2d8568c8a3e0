import { type Db, MongoServerError } from "mongodb";
import type { Logger } from "pino";
import type { CollectionName } from "./declared-indexes.ts";
import { DOCUMENT_RULES } from "./document-rules.ts";

const UNAUTHORIZED = 13;

/** What a collection is created or changed with so that its declared rules hold; nothing where none are declared. */
export function rulesOf(name: CollectionName) {
  const rules = DOCUMENT_RULES[name];
  if (!rules) return {};
  // Moderate: a document of an earlier version that breaks a rule can still be saved, and no new one can be made.
  const action = { validationLevel: "moderate", validationAction: "error" } as const;
  return { validator: { $jsonSchema: rules }, ...action };
}

/**
 * Makes the rules of a collection the declared ones, if they are not: they came with a new version, or somebody changed
 * them. A database user who may not do that (MongoDB's `readWrite` may create a collection with rules and not change
 * them) is a warning, not the end.
 */
export async function ensureRules(
  db: Db,
  name: CollectionName,
  log: Pick<Logger, "info" | "warn">,
): Promise<void> {
  const declared = rulesOf(name);
  if (!("validator" in declared)) return;
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
