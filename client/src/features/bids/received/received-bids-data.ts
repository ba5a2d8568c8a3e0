import { BID_SORTS, BID_STATES, bidTriageSchema, type ReceivedBid } from "@tasklane/server/contract";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "react-router-dom";
import { apiOf } from "../../../lib/api-context.ts";
import { type FormError, invalidForm, toFormError } from "../../../lib/forms.ts";
import { type Page, readShown, shownIn } from "../../../lib/pages.ts";
import { awardBid, listReceivedBids, sortBid } from "../bids-api.ts";

/** Bids in one step of "Load more". */
export const STEP = 20;

/** How the inbox is looked at; empty `state` means bids of every state. */
export type InboxView = { sort: string; state: string; shown: number };

/** The bids of a task with the view they answer, or why they did not load. */
export type InboxData = (Page<ReceivedBid> & { ok: true; view: InboxView }) | FormError;

/** Reads `?sort=&state=&shown=`; unknown values count as the default. */
export function readView(params: URLSearchParams): InboxView {
  const sort = params.get("sort") ?? "";
  const state = params.get("state") ?? "";
  return {
    sort: BID_SORTS.some((known) => known === sort) ? sort : BID_SORTS[0],
    state: BID_STATES.some((known) => known === state) ? state : "",
    shown: shownIn(params, STEP),
  };
}

/** The address query of a view. */
export function writeView({ sort, state, shown }: InboxView): string {
  return new URLSearchParams({ sort, state, shown: String(shown) }).toString();
}

/** The bids on the task in the address. A failure is data: the dialog stays open and offers to try again. */
export async function loader(args: LoaderFunctionArgs): Promise<InboxData> {
  const { signal, url } = args.request;
  const view = readView(new URL(url).searchParams);
  const { sort, state } = view;
  try {
    const page = await readShown(view.shown, (limit, cursor) =>
      listReceivedBids(apiOf(args), args.params["id"] ?? "", { sort, state, limit, cursor, signal }),
    );
    return { ok: true, view, ...page };
  } catch (error) {
    signal.throwIfAborted();
    return toFormError(error);
  }
}

export type SortResult = { ok: true; bidId: string; did: string } | FormError;

/** Shortlists, declines or awards the bid `bidId` of the submitted form, or takes the first two back (`placed`). */
export async function action(args: ActionFunctionArgs): Promise<SortResult> {
  const form = await args.request.formData();
  const taskId = args.params["id"] ?? "";
  const bidId = String(form.get("bidId") ?? "");
  const state = String(form.get("state") ?? "");
  try {
    if (state === "awarded") {
      await awardBid(apiOf(args), taskId, bidId);
      return { ok: true, bidId, did: state };
    }
    const parsed = bidTriageSchema.safeParse({ state });
    if (!parsed.success) return invalidForm(parsed.error.issues);
    await sortBid(apiOf(args), taskId, bidId, parsed.data);
    return { ok: true, bidId, did: state };
  } catch (error) {
    return toFormError(error);
  }
}
