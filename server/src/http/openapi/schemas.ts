import * as z from "zod/mini";
import { ALL_ENDPOINTS } from "../../contract/endpoints.ts";
import * as contract from "../../contract/index.ts";

/** A JSON Schema (2020-12). */
export type JsonSchema = { [keyword: string]: unknown };

/** The names of the contract's schemas in the document: `taskDraftSchema` becomes `TaskDraft`. */
const NAMES = new Map<unknown, string>(
  Object.entries(contract)
    .filter(([name]) => name.endsWith("Schema"))
    .map(([name, schema]) => [schema, name[0]?.toUpperCase() + name.slice(1, -"Schema".length)]),
);

const BODIES = ALL_ENDPOINTS.flatMap(({ body }) => body ?? []);
const RESPONSES = ALL_ENDPOINTS.flatMap(({ responses }) => responses)
  .flatMap(({ schema }) => schema ?? [])
  .flatMap((schema) => (schema instanceof z.core.$ZodArray ? schema._zod.def.element : schema));

/**
 * The schemas of all bodies and responses. Bodies allow additional properties, because unknown fields are ignored;
 * responses do not.
 */
export function namedSchemas(): Record<string, JsonSchema> {
  return { ...converted(BODIES, "input"), ...converted([...RESPONSES, contract.problemSchema], "output") };
}

/** A reference to a schema of the contract, or a list of it. @throws {Error} if the contract does not export the schema. */
export function refersTo(schema: z.core.$ZodType): JsonSchema {
  if (schema instanceof z.core.$ZodArray)
    return { type: "array", items: refersTo(schema._zod.def.element as z.core.$ZodType) };
  return { $ref: `#/components/schemas/${nameOf(schema)}` };
}

function nameOf(schema: z.core.$ZodType): string {
  const name = NAMES.get(schema);
  if (name === undefined)
    throw new Error("a schema of the table of endpoints is not exported by the contract");
  return name;
}

/** The parameters of a query with their schemas: those of its output, because an empty parameter counts as absent. */
export function queryParameters(query: z.core.$ZodType): [name: string, schema: JsonSchema][] {
  const { properties = {} } = z.toJSONSchema(query, { io: "output", override }) as {
    properties?: Record<string, JsonSchema>;
  };
  return Object.entries(properties);
}

function converted(schemas: readonly z.core.$ZodType[], io: "input" | "output") {
  const registry = z.registry<{ id: string }>();
  for (const schema of new Set(schemas)) registry.add(schema, { id: nameOf(schema) });
  const all = z.toJSONSchema(registry, { io, override, uri: (id) => `#/components/schemas/${id}` });
  return Object.fromEntries(
    Object.entries(all.schemas).map(([name, { $id: _id, $schema: _schema, ...rest }]) => [name, rest]),
  ) as Record<string, JsonSchema>;
}

// Checks that zod makes with functions have no JSON Schema keyword. Field names have the same meaning everywhere.
const FORMATS: Record<string, JsonSchema> = {
  deadline: { format: "date" },
  date: { format: "date" },
  createdAt: { format: "date-time" },
  editedAt: { format: "date-time" },
  updatedAt: { format: "date-time" },
  savedAt: { format: "date-time" },
  memberSince: { format: "date-time" },
  exportedAt: { format: "date-time" },
  budget: { description: "USD, at most two decimals." },
  amount: { description: "USD, at most two decimals." },
  days: { description: "Whole days to deliver." },
  version: { description: "Increases with every save." },
};

type Override = { jsonSchema: Record<string, unknown>; path: (string | number)[] };

function override({ jsonSchema, path }: Override): void {
  const name = path.at(-1);
  const extra = typeof name === "string" && path.at(-2) === "properties" ? FORMATS[name] : undefined;
  if (extra && Object.keys(jsonSchema).length > 0 && !("$ref" in jsonSchema))
    Object.assign(jsonSchema, extra);
}
