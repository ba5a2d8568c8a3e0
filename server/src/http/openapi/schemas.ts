import * as z from "zod/mini";
import * as contract from "../../contract/index.ts";

/** A JSON Schema (2020-12). */
export type JsonSchema = { [keyword: string]: unknown };

// Named for readers of the document; what only a query uses stands there as parameters.
const INPUTS = {
  TaskDraft: contract.taskDraftSchema,
  StateChange: contract.stateChangeSchema,
  Visibility: contract.visibilitySchema,
  BidDraft: contract.bidDraftSchema,
  BidTriage: contract.bidTriageSchema,
  Award: contract.awardSchema,
  Settings: contract.settingsSchema,
  ReadNotifications: contract.readNotificationsSchema,
  ReviewDraft: contract.reviewDraftSchema,
  ReportDraft: contract.reportDraftSchema,
  ReportSettling: contract.reportSettlingSchema,
};
const OUTPUTS = {
  Task: contract.taskSchema,
  TaskList: contract.taskListSchema,
  Bid: contract.bidSchema,
  ReceivedBid: contract.receivedBidSchema,
  ReceivedBidList: contract.receivedBidListSchema,
  MyBid: contract.myBidSchema,
  MyBidList: contract.myBidListSchema,
  Me: contract.meSchema,
  Overview: contract.overviewSchema,
  Export: contract.exportSchema,
  Notification: contract.notificationSchema,
  NotificationList: contract.notificationListSchema,
  Profile: contract.profileSchema,
  Review: contract.reviewSchema,
  ReviewList: contract.reviewListSchema,
  Report: contract.reportSchema,
  ReportList: contract.reportListSchema,
  InsertResponse: contract.insertResponseSchema,
  UpdateResponse: contract.updateResponseSchema,
  DeleteResponse: contract.deleteResponseSchema,
  Health: contract.healthSchema,
  Readiness: contract.readinessSchema,
  Problem: contract.problemSchema,
};

/**
 * All named schemas. Bodies say nothing of fields that they do not name, because those are ignored; responses
 * have no others.
 */
export function namedSchemas(): Record<string, JsonSchema> {
  return { ...converted(INPUTS, "input"), ...converted(OUTPUTS, "output") };
}

/** Refers to a schema of the contract by its name. @throws {Error} for one that has none. */
export function refersTo(schema: z.core.$ZodType): JsonSchema {
  const found = Object.entries({ ...INPUTS, ...OUTPUTS }).find(([, named]) => named === schema);
  if (!found) throw new Error("a schema of the table has no name in the document: give it one");
  return { $ref: `#/components/schemas/${found[0]}` };
}

/** The parameters of a query and what each may be; the schema's own output, because an empty one counts as absent. */
export function queryParameters(query: z.core.$ZodType): [name: string, schema: JsonSchema][] {
  const { properties = {} } = z.toJSONSchema(query, { io: "output", override }) as {
    properties?: Record<string, JsonSchema>;
  };
  return Object.entries(properties);
}

function converted(schemas: Record<string, z.core.$ZodType>, io: "input" | "output") {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
  const all = z.toJSONSchema(registry, { io, override, uri: (id) => `#/components/schemas/${id}` });
  return Object.fromEntries(
    Object.entries(all.schemas).map(([name, { $id: _id, $schema: _schema, ...rest }]) => [name, rest]),
  ) as Record<string, JsonSchema>;
}

// What zod checks with functions has no keyword of its own; the names of fields mean the same everywhere.
const FORMATS: Record<string, JsonSchema> = {
  deadline: { format: "date" },
  date: { format: "date" },
  createdAt: { format: "date-time" },
  updatedAt: { format: "date-time" },
  memberSince: { format: "date-time" },
  exportedAt: { format: "date-time" },
  budget: { description: "USD, at most two decimals." },
  amount: { description: "USD, at most two decimals." },
  days: { description: "Whole days to deliver." },
  version: { description: "Rises with every save." },
};

type Override = { jsonSchema: Record<string, unknown>; path: (string | number)[] };

function override({ jsonSchema, path }: Override): void {
  const name = path.at(-1);
  const said = typeof name === "string" && path.at(-2) === "properties" ? FORMATS[name] : undefined;
  if (said && Object.keys(jsonSchema).length > 0 && !("$ref" in jsonSchema)) Object.assign(jsonSchema, said);
  nameProperties(jsonSchema);
}

/** A record whose keys are known is an object with those properties: tools understand that better. */
function nameProperties(schema: Record<string, unknown>): void {
  const { propertyNames, additionalProperties } = schema as {
    propertyNames?: { enum?: string[] };
    additionalProperties?: unknown;
  };
  if (!propertyNames?.enum) return;
  schema["properties"] = Object.fromEntries(propertyNames.enum.map((key) => [key, additionalProperties]));
  schema["additionalProperties"] = false;
  delete schema["propertyNames"];
}
