import { isDeepStrictEqual } from "node:util";
import {
  AGREEMENT_LIMITS,
  type Agreement,
  agreementSchema,
  isOpen,
  type Milestone,
  mayAct,
  type ProposalDraft,
  taskState,
} from "../../contract/index.ts";
import type { AgreementDoc } from "../../db/documents/agreements.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import { longDate, USD_CENTS } from "../../domain/format.ts";
import { isFormerMember, type Side } from "../../domain/notify.ts";
import type { PdfPart } from "../../domain/pdf.ts";
import { type Presented, pick } from "../../domain/present.ts";
import { invalid, wrongState } from "../../domain/problem-error.ts";

/** The terms that count. */
function currentTerms({ versions }: Pick<AgreementDoc, "versions">) {
  // There is one from the award.
  return versions.at(-1) as AgreementDoc["versions"][number];
}

/** Can the agreement still change? */
export function mayChange(task: TaskDoc, now: Date): boolean {
  return mayAct("change-agreement", "client", taskState(task, now));
}

/** @throws {ProblemError} `wrong-state` if the agreement can no longer change, or a side has left. */
export function requireChangeable(task: TaskDoc, now: Date): void {
  if (!mayChange(task, now))
    throw wrongState(`The task is ${task.state}: what was agreed can no longer change.`);
  if ([task.ownerId, task.award?.freelancerId ?? ""].some(isFormerMember))
    throw wrongState("The other side has deleted their account: nobody is left to agree.");
}

/** @throws {ProblemError} if it is not the side's turn, the date has passed, or nothing would change. */
export function checkProposal(draft: ProposalDraft, agreement: AgreementDoc, side: Side, now: Date): void {
  const { amount, due, scope, milestones = [] } = currentTerms(agreement);
  if (agreement.proposal && agreement.proposal.by !== side)
    throw wrongState("Answer the other side's proposal first.");
  if (agreement.versions.length >= AGREEMENT_LIMITS.versions)
    throw wrongState("This agreement has changed too often to change again.");
  const isSameTerms = draft.amount === amount && draft.due === due && draft.scope === scope;
  if (isSameTerms && isSame(draft.milestones, milestones))
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

const isSame = (some: readonly Milestone[], others: readonly Milestone[]) =>
  isDeepStrictEqual(some.map(termsOf), others.map(termsOf));

/** What was agreed on, without what was said about its payment. */
const termsOf = ({ name, amount, due }: Milestone) => [name, amount, due];

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

/** As the two sides see it. A proposal lapses when the agreement can no longer change. */
export function presentAgreement(agreement: AgreementDoc, mayChange: boolean): Presented<Agreement> {
  return {
    ...pick(agreement, agreementSchema),
    client: agreement.clientName,
    freelancer: agreement.freelancerName,
    proposal: mayChange ? agreement.proposal : undefined,
  };
}

const TIME = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });
const dayOf = (date: string) => longDate(new Date(date));

/** The agreement as a document. `finalPrice` in USD, if the task ended early. */
export function agreementParts(agreement: AgreementDoc, finalPrice?: number): PdfPart[] {
  const { clientName, freelancerName, title, description, message, question, answer, versions } = agreement;
  const { amount, due, scope, milestones = [] } = currentTerms(agreement);
  const quoted = (heading: string, text: string | undefined) => (text ? [{ heading }, { text }] : []);
  return [
    {
      facts: [
        ["Task", title],
        ["Client", clientName],
        ["Freelancer", freelancerName],
        ["Price", USD_CENTS.format(amount)],
        ...(finalPrice === undefined ? [] : [["Ended early at", USD_CENTS.format(finalPrice)] as const]),
        ["Date", dayOf(due)],
        ...milestones.map(
          ({ name, ...part }, at) =>
            [
              `Milestone ${at + 1}`,
              `${name}: ${USD_CENTS.format(part.amount)} by ${dayOf(part.due)}`,
            ] as const,
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
        `${index + 1}. ${TIME.format(at)} UTC: ${USD_CENTS.format(terms.amount)} by ${dayOf(terms.due)}, ` +
        (by ? `proposed by the ${by} and accepted by the other side.` : "with the award.") +
        (terms.scope && terms.scope !== scope ? ` Scope: ${terms.scope.replace(/\s+/g, " ")}` : ""),
    })),
  ];
}
