import * as z from "zod/mini";
import { parameter } from "./query.ts";

// Apart from what browsers read: zod's parts for these would be loaded with every page.

/** The query of `GET /me/events`: the task to be told about besides. */
export const eventsQuerySchema = z.object({
  task: parameter(
    z
      .string({ error: "Name one task." })
      .check(z.regex(/^[\da-f]{24}$/i, "This is not the id of a task."), z.toLowerCase()),
  ),
});

/** `GET /health`: is the process alive? It does not ask for the database. */
export const healthSchema = z.object({ status: z.literal("ok") });
export type Health = z.infer<typeof healthSchema>;
