import { type Document, ObjectId } from "mongodb";

/**
 * Does a document match a filter? For tests of rules that are filters: only what these are written in, and an error for
 * anything else. That MongoDB takes them so too is for the tests that ask one.
 */
export function matches(filter: Document, doc: Document): boolean {
  return Object.entries(filter).every(([name, condition]) =>
    name === "$or"
      ? (condition as Document[]).some((part) => matches(part, doc))
      : meets(comparable(doc[name]), condition),
  );
}

/** Compares documents as a sort does. */
export function inOrderOf(sort: Record<string, 1 | -1>): (a: Document, b: Document) => number {
  return (a, b) => {
    for (const [name, direction] of Object.entries(sort)) {
      const [one, other] = [comparable(a[name]), comparable(b[name])] as [string, string];
      if (one !== other) return one < other ? -direction : direction;
    }
    return 0;
  };
}

function comparable(value: unknown): unknown {
  if (value instanceof Date) return value.getTime();
  return value instanceof ObjectId ? value.toHexString() : value;
}

function meets(value: unknown, condition: unknown): boolean {
  const names = Object.keys(Object(condition));
  if (!names.some((name) => name.startsWith("$"))) return isEqual(value, condition);
  return names.every((name) => meetsOperator(value, name, condition as Document));
}

function isEqual(value: unknown, wanted: unknown): boolean {
  return Array.isArray(value) ? value.includes(wanted) : value === comparable(wanted);
}

function meetsOperator(value: unknown, operator: string, condition: Document): boolean {
  const wanted = condition[operator];
  switch (operator) {
    case "$in":
      return (wanted as unknown[]).some((each) => isEqual(value, each));
    case "$ne":
      return !isEqual(value, wanted);
    case "$regex":
      return new RegExp(wanted, condition["$options"]).test(String(value));
    case "$options":
      return "$regex" in condition;
    default:
      return isBeyond(value, operator, comparable(wanted));
  }
}

/** Values of different types are never beyond one another. */
function isBeyond(value: unknown, operator: string, bound: unknown): boolean {
  if (typeof value !== typeof bound) return false;
  const [one, other] = [value, bound] as [number, number];
  if (operator === "$gt") return one > other;
  if (operator === "$gte") return one >= other;
  if (operator === "$lt") return one < other;
  if (operator === "$lte") return one <= other;
  throw new Error(`No ${operator} is known here.`);
}
