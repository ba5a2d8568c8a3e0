import { Binary, ObjectId } from "mongodb";
import * as z from "zod/mini";
import { MAX_USD, TASK_LIMITS } from "../contract/index.ts";

/** MongoDB's names for types that JSON does not have. */
const bsonTypes = z.registry<{ bsonType: string }>();

export const objectId = z.instanceof(ObjectId).register(bsonTypes, { bsonType: "objectId" });
export const instant = z.date().register(bsonTypes, { bsonType: "date" });
export const binary = z.instanceof(Binary).register(bsonTypes, { bsonType: "binData" });

/**
 * The `$jsonSchema` for documents of this shape. MongoDB uses draft 4 with an additional `bsonType`. Checks that are
 * functions (valid dates, cents, plain text) cannot be expressed in it; only the API enforces those.
 */
export function toMongoSchema(document: z.ZodMiniObject): object {
  const { $schema: _, ...schema } = z.toJSONSchema(document, {
    target: "draft-4",
    io: "output",
    metadata: bsonTypes,
    unrepresentable: "any",
    override: ({ jsonSchema }) => {
      if (jsonSchema.type !== "integer") return;
      jsonSchema.type = "number";
      jsonSchema.multipleOf = 1;
    },
  });
  return schema;
}

// Fields shared by several documents.
export const text = (max: number, min = 0) => z.string().check(z.minLength(min), z.maxLength(max));
export const count = z.int().check(z.gte(0));
export const usd = z.number().check(z.positive(), z.lte(MAX_USD));

// The longest values that Firebase and its tokens can contain.
export const uid = text(128, 1);
export const name = text(100, 1);
/** Empty once its owner deleted their account. */
export const email = text(320);
export const image = text(2_000).check(z.regex(/^https?:\/\//));
export const taskTitle = text(TASK_LIMITS.title, 1);
