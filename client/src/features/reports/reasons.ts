import type { ReportReason } from "@tasklane/server/contract";

/** The reasons for a report as people read them. */
export const REASONS: Record<ReportReason, string> = {
  spam: "Spam or advertising",
  fraud: "Fraud or a scam",
  offensive: "Offensive or hateful",
  "personal-data": "Somebody’s personal data",
  other: "Something else",
};
