import { type Document, ObjectId } from "mongodb";

/**
 * Whether a document matches a MongoDB filter, for unit tests of rules written as filters. Supports only the operators
 * that these use and throws for any other; tests with a database check that MongoDB agrees.
 */
export function matches(filter: Document, doc: Document): boolean {
  return Object.entries(filter).every(([name, condition]) => {
    if (name === "$or") return (condition as Document[]).some((part) => matches(part, doc));
    if (name === "$nor") return !(condition as Document[]).some((part) => matches(part, doc));
    if (name !== "$expr") return meetsCondition(comparable(doc[name]), condition);
    const [wanted, field] = (condition as { $setIsSubset: [string[], string] }).$setIsSubset;
    return wanted.every((each) => doc[field.slice(1)].includes(each));
  });
}

/** A comparator for documents that orders them like a MongoDB sort. */
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

function meetsCondition(value: unknown, condition: unknown): boolean {
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
      return compares(value, operator, comparable(wanted));
  }
}

/** As in MongoDB, values of different types do not compare. */
function compares(value: unknown, operator: string, bound: unknown): boolean {
  if (typeof value !== typeof bound) return false;
  const [one, other] = [value, bound] as [number, number];
  if (operator === "$gt") return one > other;
  if (operator === "$gte") return one >= other;
  if (operator === "$lt") return one < other;
  if (operator === "$lte") return one <= other;
  throw new Error(`The operator ${operator} is not supported here.`);
}
