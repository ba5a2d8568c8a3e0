import { ApiProblem, fieldErrorsByName, isSessionOver, type ProblemCode, problemText } from "./problem.ts";

/** A submit that was not accepted, as data for the page that holds what was typed. */
export type FormError = {
  ok: false;
  message: string;
  /** Messages by field name. */
  fieldErrors: Record<string, string>;
  sessionOver: boolean;
  /** The server knows better than this page how things stand: what is shown should be read again. */
  stale: boolean;
  /** What the server called it; absent where it was not asked, or failed in its own way. */
  code?: ProblemCode;
};

/** Makes what a call rejected with into the result of a route action. */
export function toFormError(error: unknown): FormError {
  const known = error instanceof ApiProblem;
  return {
    ok: false,
    message: problemText(error),
    fieldErrors: known ? fieldErrorsByName(error.fieldErrors) : {},
    sessionOver: isSessionOver(error),
    stale: known && [403, 404, 409].includes(error.status),
    ...(known && { code: error.code }),
  };
}

/** The error that a fetcher's form shows: it is over as soon as the next try is on its way. */
export function formErrorOf<R extends { ok: boolean }>({
  state,
  data,
}: {
  state: string;
  data: R | undefined;
}): Extract<R, { ok: false }> | undefined {
  return state !== "submitting" && data?.ok === false ? (data as Extract<R, { ok: false }>) : undefined;
}

/** The error of a form whose own rules were not met; `issues` are those of the contract's schema. */
export function invalidForm(issues: { path: PropertyKey[]; message: string }[]): FormError {
  const named = issues.map((issue) => [String(issue.path[0]), issue.message] as const);
  return {
    ok: false,
    message: "Some of the values need another look.",
    // The first message of a field is the one to mend first.
    fieldErrors: Object.fromEntries(named.reverse()),
    sessionOver: false,
    stale: false,
  };
}
