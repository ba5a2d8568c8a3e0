import { REPORT_REASON_LABELS, REPORT_REASONS, reportDraftSchema } from "@tasklane/server/contract";
import * as z from "zod/mini";

/** The reasons for a report, as the options of a select. */
export const REASON_OPTIONS = REPORT_REASONS.map((reason) => [reason, REPORT_REASON_LABELS[reason]] as const);

/** The fields of the report form. */
export const reportFormSchema = z.pick(reportDraftSchema, { reason: true, text: true });
