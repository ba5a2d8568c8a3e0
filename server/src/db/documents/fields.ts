import * as z from "zod/mini";
import { MAX_USD, TASK_LIMITS } from "../../contract/index.ts";

/** The fields that several documents have. */
export const text = (max: number, min = 0) => z.string().check(z.minLength(min), z.maxLength(max));
export const count = z.int().check(z.gte(0));
export const usd = z.number().check(z.positive(), z.lte(MAX_USD));

// What Firebase and tokens can hold: longer ones were made up.
export const uid = text(128, 1);
export const name = text(100, 1);
/** Empty once its owner deleted their account. */
export const email = text(320);
export const image = text(2_000).check(z.regex(/^https:\/\//));
export const taskTitle = text(TASK_LIMITS.title, 1);
