import { ObjectId } from "mongodb";
import * as z from "zod/mini";

/** What MongoDB calls the types that JSON does not have. */
const bsonTypes = z.registry<{ bsonType: string }>();

export const objectId = z.instanceof(ObjectId).register(bsonTypes, { bsonType: "objectId" });
export const instant = z.date().register(bsonTypes, { bsonType: "date" });

/**
 * The `$jsonSchema` of documents of this shape. MongoDB reads draft 4, with `bsonType` beside `type`. Checks that are
 * functions (a date that exists, cents, plain text) cannot be said there: those only the API enforces.
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

type Fields<T extends z.ZodMiniObject> = { [field in keyof z.infer<T>]: 1 };

/** The projection that reads just the fields of this shape. */
export function projectionOf<T extends z.ZodMiniObject>({ shape }: T): Fields<T> {
  return Object.fromEntries(Object.keys(shape).map((field) => [field, 1])) as Fields<T>;
}
