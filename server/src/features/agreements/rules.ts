import { isDeepStrictEqual } from "node:util";
import {
  AGREEMENT_LIMITS,
  type Agreement,
  isOpen,
  type Milestone,
  mayAct,
  type ProposalDraft,
  taskState,
} from "../../contract/index.ts";
import type { AgreementDoc } from "../../db/documents/agreements.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import type { PdfPart } from "../../domain/pdf.ts";
import { ProblemError } from "../../domain/problem-error.ts";
import type { Side } from "../../domain/task-conditions.ts";

/** The task's fields that decide about its agreement. */
export const AGREEMENT_TASK = { title: 1, ownerId: 1, state: 1, deadline: 1, award: 1, hidden: 1 } as const;
export type AgreementTask = Pick<TaskDoc, "_id" | keyof typeof AGREEMENT_TASK>;

/** The terms that count. */
function currentTerms({ versions }: Pick<AgreementDoc, "versions">) {
  // There is one from the award.
  return versions.at(-1) as AgreementDoc["versions"][number];
}

/** @throws {ProblemError} `wrong-state` if the agreement can no longer change. */
export function requireChangeable(task: AgreementTask, side: Side, now: Date): void {
  if (mayAct("change-agreement", side === "client" ? "client" : "hired", taskState(task, now))) return;
  const detail = task.award
    ? `The task is ${task.state}: what was agreed can no longer change.`
    : "Nobody is hired for this task now.";
  throw new ProblemError("wrong-state", { detail });
}

/** @throws {ProblemError} if it is not the side's turn, the date has passed, or nothing would change. */
export function checkProposal(draft: ProposalDraft, agreement: AgreementDoc, side: Side, now: Date): void {
  const { amount, due, scope, milestones = [] } = currentTerms(agreement);
  if (agreement.proposal && agreement.proposal.by !== side)
    throw new ProblemError("wrong-state", { detail: "Answer the other side's proposal first." });
  if (agreement.versions.length >= AGREEMENT_LIMITS.versions)
    throw new ProblemError("wrong-state", {
      detail: "This agreement has changed too often to change again.",
    });
  if (
    draft.amount === amount &&
    draft.due === due &&
    draft.scope === scope &&
    isSame(draft.milestones, milestones)
  )
    throw invalid(
      "amount",
      "Change the price, the date or the scope: this is what you have agreed on already.",
    );
  if (draft.due !== due && !isOpen(draft.due, now)) throw invalid("due", AHEAD);
  const agreed = new Set(milestones.map((each) => each.due));
  if (draft.milestones.some((each) => !agreed.has(each.due) && !isOpen(each.due, now)))
    throw invalid("milestones", AHEAD);
}

const AHEAD = "Choose today or a later day.";

function isSame(some: readonly Milestone[], others: readonly Milestone[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ name, amount, due }, at) => isDeepStrictEqual({ name, amount, due }, pick(others[at])))
  );
}

const pick = (milestone: Milestone | undefined) =>
  milestone && { name: milestone.name, amount: milestone.amount, due: milestone.due };

/** @throws {ProblemError} `invalid` if milestones that were accepted would change, or nothing were left to do. */
export function checkAccepted(
  milestones: readonly Milestone[] = [],
  accepted: readonly Milestone[] = [],
): void {
  if (accepted.length === 0) return;
  if (!isSame(milestones.slice(0, accepted.length), accepted))
    throw invalid("milestones", "Milestones that were accepted stay as they are.");
  if (milestones.length === accepted.length)
    throw invalid("milestones", "All of these milestones are accepted: leave one to do.");
}

function invalid(field: keyof ProposalDraft, detail: string): ProblemError {
  return new ProblemError("invalid", { detail, errors: [{ pointer: `#/${field}`, detail }] });
}

/** As the two sides see it. A proposal lapses when the agreement can no longer change. */
export function presentAgreement(agreement: AgreementDoc, mayChange: boolean): Agreement {
  const { clientName, freelancerName, title, description, message, question, answer, versions } = agreement;
  const proposal = mayChange ? agreement.proposal : undefined;
  return {
    ...{ client: clientName, freelancer: freelancerName, title, description, message, question, answer },
    versions: versions.map((version) => ({ ...version, at: version.at.toISOString() })),
    proposal: proposal && { ...proposal, _id: proposal._id.toHexString(), at: proposal.at.toISOString() },
  };
}

const USD = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
const DATE = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" });
const TIME = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });
const dayOf = (date: string) => DATE.format(new Date(date));

/** The agreement as a document. */
export function agreementParts(agreement: AgreementDoc): PdfPart[] {
  const { clientName, freelancerName, title, description, message, question, answer, versions } = agreement;
  const { amount, due, scope, milestones = [] } = currentTerms(agreement);
  const quoted = (heading: string, text: string | undefined) => (text ? [{ heading }, { text }] : []);
  return [
    {
      facts: [
        ["Task", title],
        ["Client", clientName],
        ["Freelancer", freelancerName],
        ["Price", USD.format(amount)],
        ["Date", dayOf(due)],
        ...milestones.map(
          ({ name, ...part }, at) =>
            [`Milestone ${at + 1}`, `${name}: ${USD.format(part.amount)} by ${dayOf(part.due)}`] as const,
        ),
      ],
    },
    ...quoted("Changes to the scope", scope),
    ...quoted("Description", description),
    ...quoted("The freelancer's message", message),
    ...quoted(question ?? "", answer),
    { heading: "Versions" },
    ...versions.map(({ at, by, ...terms }, index) => ({
      text:
        `${index + 1}. ${TIME.format(at)} UTC: ${USD.format(terms.amount)} by ${dayOf(terms.due)}, ` +
        (by ? `proposed by the ${by} and accepted by the other side.` : "with the award.") +
        (terms.scope && terms.scope !== scope ? ` Scope: ${terms.scope}` : ""),
    })),
  ];
}
