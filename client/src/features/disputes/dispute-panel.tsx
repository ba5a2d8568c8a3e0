import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import {
  appealSchema,
  DISPUTE_LIMITS,
  type Dispute,
  endingDraftSchema,
  mayAct,
  statementSchema,
  type Task,
} from "@tasklane/server/contract";
import { type ReactNode, useState } from "react";
import type { Api } from "../../lib/api.ts";
import { useApi } from "../../lib/api-context.tsx";
import { formatDate, formatUsd } from "../../lib/format.ts";
import { type FormResult, formValues, sendOrExplain, submitForm } from "../../lib/forms.ts";
import { stateNow } from "../../lib/state-now.ts";
import { useSubmission } from "../../lib/submission.ts";
import { ActionForm, useDraft } from "../../ui/action-form.tsx";
import { AnswerButtons } from "../../ui/answer-buttons.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { useScrollHere } from "../../ui/use-scroll-here.ts";
import { When } from "../../ui/when.tsx";
import { FileField } from "../files/file-field.tsx";
import { AttachedFiles } from "../files/file-list.tsx";
import { useFilesOn } from "../files/file-queries.ts";

/** The proposal to end the task early, or the dispute, cached per version of the task, as every step changes that. */
function endingQuery(api: Api, { _id: id, version }: Pick<Task, "_id" | "version">) {
  return queryOptions({
    queryKey: ["tasks", "ending", id, version],
    queryFn: async () => (await api.call("GET /tasks/:id/ending", { params: { id } })).data,
  });
}

type Form = "propose" | "state" | "appeal" | "decide";

const FORMS: Record<Form, string> = {
  propose: "End this task early",
  state: "State your case",
  appeal: "Appeal",
  decide: "Decide this dispute",
};

/** How an awarded task can end early, for its two sides and, once there is a dispute, for operators. */
export function DisputePanel({ task, isCard = false }: { task: Task; isCard?: boolean }) {
  const { agreed, viewer } = task;
  // Nobody was hired yet for other tasks of the client; operators see none of what was agreed.
  const mayHaveOne = task.wasAwarded === true || viewer?.isOwner !== true;
  const { data } = useQuery({
    ...endingQuery(useApi(), task),
    enabled: mayHaveOne,
    placeholderData: (previous) => previous,
  });
  const heading = useScrollHere("ending", data !== undefined);
  const [form, setForm] = useState<Form>();
  const isRunning = mayAct("end-early", "client", stateNow(task));
  const dispute = data?.dispute;
  const isOver = dispute?.state === "ended";
  const side = viewer?.role === "client" ? "client" : viewer?.role === "hired" ? "freelancer" : undefined;
  if (!data || (!side && !dispute) || (!isRunning && !isOver)) return null;
  const open = (which: Form) => ({ onClick: () => setForm(which) });
  const state = dispute?.state;
  const price = agreed?.amount ?? dispute?.agreement?.versions.at(-1)?.amount ?? 0;
  return (
    <section
      className={
        isCard ? "card card-body gap-4 shadow-card" : "grid grid-cols-1 gap-4 border-t border-base-300 pt-4"
      }
      aria-labelledby="ending"
    >
      <h3
        ref={heading}
        id="ending"
        tabIndex={-1}
        className={dispute ? "font-semibold outline-none" : "sr-only"}
      >
        {state ? HEADINGS[state] : FORMS.propose}
      </h3>
      {dispute && <DisputeFacts task={task} dispute={dispute} side={side} />}
      {isRunning && (
        <div className="flex flex-wrap gap-3">
          {side && state === "proposed" && <Answer task={task} isOwn={dispute?.by === side} />}
          {side && (!state || state === "refused") && (
            <OpenButton {...open("propose")} isQuiet={!state}>
              {FORMS.propose}
            </OpenButton>
          )}
          {side && (state === "proposed" || state === "refused") && (
            <OpenButton {...open("state")} isQuiet={state === "proposed"}>
              Open a dispute
            </OpenButton>
          )}
          {side && state === "disputed" && <OpenButton {...open("state")}>{FORMS.state}</OpenButton>}
          {side && state === "decided" && !dispute?.appeal && (
            <OpenButton {...open("appeal")}>{FORMS.appeal}</OpenButton>
          )}
          {!side && state === "disputed" && <OpenButton {...open("decide")}>{FORMS.decide}</OpenButton>}
        </div>
      )}
      <Dialog title={form ? FORMS[form] : ""} open={form !== undefined} onClose={() => setForm(undefined)}>
        {form && (
          <DisputeForm
            form={form}
            task={task}
            price={price}
            before={side && dispute && { text: dispute.statements[side], id: dispute._id, side }}
            onClose={() => setForm(undefined)}
          />
        )}
      </Dialog>
    </section>
  );
}

const HEADINGS: Record<Dispute["state"], string> = {
  proposed: "Proposed to end early",
  refused: "The end was refused",
  disputed: "In dispute",
  decided: "An operator has decided",
  ended: "Ended early",
};

type Side = "client" | "freelancer";

function DisputeFacts({ task, dispute, side }: { task: Task; dispute: Dispute; side: Side | undefined }) {
  const files = useFilesOn(task, dispute._id);
  const { state, by, at, share, reason, statements, messages, decisions, appeal, due, agreement } = dispute;
  const nameOf = (who: Side) => (who === side ? "You" : <bdi>{dispute[who]}</bdi>);
  const decision = decisions.at(-1);
  return (
    <div className="grid gap-3 text-sm wrap-anywhere">
      {agreement && (
        <p>
          Agreed: {formatUsd(agreement.versions.at(-1)?.amount ?? 0)} by{" "}
          {formatDate(agreement.versions.at(-1)?.due ?? "")}.
        </p>
      )}
      <Quote text={reason}>
        {nameOf(by)} proposed <When at={at} /> that the freelancer gets {formatUsd(share)}
      </Quote>
      {(["client", "freelancer"] as const).map(
        (who) =>
          statements[who] && (
            <div key={who} className="grid gap-2">
              <Quote text={statements[who]}>{nameOf(who)} said</Quote>
              <AttachedFiles files={files?.filter((file) => file.by === who)} />
            </div>
          ),
      )}
      {messages && messages.length > 0 && (
        <details>
          <summary className="cursor-pointer font-medium">Submitted messages ({messages.length})</summary>
          <ul className="mt-2 grid gap-2">
            {messages.map(({ by, text, at }, index) => (
              <li key={index}>
                <Quote text={text}>
                  {nameOf(by)}, <When at={at} />
                </Quote>
              </li>
            ))}
          </ul>
        </details>
      )}
      {decisions.map((one) => (
        <Quote key={one.at} text={one.reason}>
          An operator decided <When at={one.at} /> that the freelancer gets {formatUsd(one.share)}
        </Quote>
      ))}
      {appeal && <Quote text={appeal.reason}>{nameOf(appeal.by)} appealed</Quote>}
      {due && state === "proposed" && (
        <p className="quiet">Without an answer it becomes a dispute on {dayOf(due)}.</p>
      )}
      {due && state === "decided" && decision && (
        <p className="quiet">It takes effect on {dayOf(due)}, unless one of you appeals.</p>
      )}
      {state === "disputed" && <p className="quiet">An operator reads what both sides say, and decides.</p>}
      {state === "ended" && <p>The freelancer gets {formatUsd(share)}.</p>}
    </div>
  );
}

const dayOf = (instant: string) => formatDate(instant.slice(0, 10));

/** Who said or did something, and their words. */
function Quote({ text, children }: { text: string | undefined; children: ReactNode }) {
  return (
    <div>
      <p className="quiet">{children}</p>
      {text && (
        <p dir="auto" className="whitespace-pre-line">
          {text}
        </p>
      )}
    </div>
  );
}

type ButtonProps = { onClick: () => void; isQuiet?: boolean; children: string };

function OpenButton({ onClick, isQuiet = false, children }: ButtonProps) {
  return (
    <button
      type="button"
      className={`btn ${isQuiet ? "btn-ghost btn-sm" : "btn-outline"}`}
      aria-haspopup="dialog"
      onClick={onClick}
    >
      {children}
    </button>
  );
}

/** Accepts or refuses the other side's proposal, or withdraws one's own. */
function Answer({ task: { _id: id }, isOwn }: { task: Task; isOwn: boolean }) {
  const api = useApi();
  const answering = useSubmission((accepted: boolean) =>
    sendOrExplain(() => api.call("PATCH /tasks/:id/ending", { params: { id }, body: { accepted } })),
  );
  return (
    <AnswerButtons
      isOwn={isOwn}
      submission={answering}
      onAnswer={(accepted) => void answering.send(accepted)}
    />
  );
}

type FormProps = {
  form: Form;
  task: Task;
  /** The agreed price in USD. */
  price: number;
  /** The case that the user has stated so far. */
  before: { text: string | undefined; id: string; side: Side } | undefined;
  onClose: () => void;
};

function DisputeForm({ form, task, price, before, onClose }: FormProps) {
  const { _id: id, agreed } = task;
  const owed = (agreed?.milestones ?? [])
    .slice(0, agreed?.accepted)
    .reduce((sum, { amount }) => Math.round((sum + amount) * 100) / 100, 0);
  const files = useFilesOn(task, before?.id)?.filter(({ by }) => by === before?.side);
  const api = useApi();
  const queryClient = useQueryClient();
  const draft = useDraft(`${form}.${id}`);
  const params = { id };
  const sending = useSubmission(async (data: FormData): Promise<FormResult> => {
    const result = await SEND[form](api, params, data);
    if (result.ok) await queryClient.invalidateQueries({ queryKey: ["tasks", "ending", id] });
    return result;
  });
  const isShare = form === "propose" || form === "decide";
  const schema = isShare ? endingDraftSchema : form === "state" ? statementSchema : appealSchema;
  return (
    <ActionForm
      submission={sending}
      name="ending"
      values={formValues(
        schema,
        form === "state" ? { text: before?.text, files: files?.map(({ _id }) => _id) } : {},
      )}
      draft={draft}
      submit={form === "decide" ? "Decide" : "Send"}
      busy="Sending…"
      onResult={({ ok }) => ok && onClose()}
      buttons={
        <button type="button" className="btn btn-ghost" onClick={onClose}>
          Cancel
        </button>
      }
    >
      {isShare && (
        <Field
          name="share"
          label="The freelancer gets"
          hint={`Of ${formatUsd(price)}${owed > 0 ? `, ${formatUsd(owed)} of it for accepted milestones` : ""}. The task is completed at this price; with 0 it is cancelled.`}
          unit="$"
          inputMode="decimal"
          required
        />
      )}
      <Field
        name={form === "state" ? "text" : "reason"}
        label={form === "state" ? "What happened?" : "Reason"}
        hint={
          form === "state"
            ? "The other side and an operator read it. You can change it until the decision."
            : "Both sides read it."
        }
        type="textarea"
        rows={5}
        limit={form === "state" ? DISPUTE_LIMITS.statement : DISPUTE_LIMITS.reason}
        required
      />
      {form === "state" && (
        <Field
          name="messages"
          label="Submit our messages"
          hint={`Operators read the last ${DISPUTE_LIMITS.messages} of your conversation.`}
          type="checkbox"
        />
      )}
      {form === "state" && files && <FileField label="Attach files" />}
    </ActionForm>
  );
}

type Send = (api: Api, params: { id: string }, data: FormData) => Promise<FormResult>;

const SEND: Record<Form, Send> = {
  propose: (api, params, data) =>
    submitForm(data, endingDraftSchema, async (body, idempotencyKey) => {
      await api.call("PUT /tasks/:id/ending", { params, body, idempotencyKey });
      return {};
    }),
  state: (api, params, data) =>
    submitForm(data, statementSchema, async ({ files, ...said }, idempotencyKey) => {
      const body = data.has("files") ? { ...said, files } : said;
      await api.call("PUT /tasks/:id/dispute", { params, body, idempotencyKey });
      return {};
    }),
  appeal: (api, params, data) =>
    submitForm(data, appealSchema, async (body, idempotencyKey) => {
      await api.call("POST /tasks/:id/appeal", { params, body, idempotencyKey });
      return {};
    }),
  decide: (api, params, data) =>
    submitForm(data, endingDraftSchema, async (body, idempotencyKey) => {
      await api.call("POST /tasks/:id/decision", { params, body, idempotencyKey });
      return {};
    }),
};
