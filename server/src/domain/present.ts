import type { ObjectId } from "mongodb";
import type * as z from "zod/mini";

/** What a response's data is made from: JSON turns ids and instants into text. */
export type Presented<T> = string extends T
  ? T | ObjectId | Date
  : T extends readonly (infer Item)[]
    ? readonly Presented<Item>[]
    : T extends object
      ? { [Field in keyof T]: Presented<T[Field]> }
      : T;

/** The fields of a document that the schema has under the same name. */
export function pick<T extends object, S extends z.ZodMiniObject>(
  document: T,
  { shape }: S,
): Pick<T, keyof T & keyof z.output<S>> {
  const fields = Object.keys(shape).filter((field) => field in document) as (keyof T & keyof z.output<S>)[];
  return Object.fromEntries(fields.map((field) => [field, document[field]])) as Pick<
    T,
    (typeof fields)[number]
  >;
}
