/** Texts that people write. */
export const NOTE = "All done.";
export const MISSING = "The logo is missing.";
export const OPERATORS_REASON = "other";
export const OPERATORS_TEXT = "See our terms.";
export const DESCRIPTION = "Two drafts, one revision.";
export const REVIEW = "As agreed.";
