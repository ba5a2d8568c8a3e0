import { type ReviewDraft, reviewDraftSchema } from "@tasklane/server/contract";
import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "react-router-dom";
import { sessionOf } from "../../../auth/session.ts";
import { apiOf } from "../../../lib/api-context.ts";
import { draftKeyOf, sendOnce } from "../../../lib/drafts.ts";
import { type FormError, invalidForm, toFormError } from "../../../lib/forms.ts";
import { paths } from "../../../lib/paths.ts";
import { postReview } from "../people-api.ts";

/** What became of a submitted review. */
export type ReviewResult = { ok: true } | FormError;

/** The storage key of a person's unsent review of a task. */
export function reviewDraftKey(uid: string, taskId: string): string {
  return draftKeyOf(uid, `review.${taskId}`);
}

/** This address only takes reviews: who opens it is led to the task. */
export function loader({ params }: LoaderFunctionArgs): Response {
  return redirect(paths.task(params["id"] ?? ""));
}

/** Posts the submitted review of the task in the address. */
export async function action(args: ActionFunctionArgs): Promise<ReviewResult> {
  const form = await args.request.formData();
  const parsed = reviewDraftSchema.safeParse({
    stars: Number(form.get("stars") ?? Number.NaN),
    // Browsers submit line breaks as CRLF; the product keeps LF.
    text: String(form.get("text") ?? "").replaceAll("\r\n", "\n"),
  });
  if (!parsed.success) return invalidForm(parsed.error.issues);
  return send(args, parsed.data);
}

async function send(args: ActionFunctionArgs, draft: ReviewDraft): Promise<ReviewResult> {
  try {
    const user = await sessionOf(args).ready();
    const taskId = args.params["id"] ?? "";
    await sendOnce(reviewDraftKey(user?.uid ?? "", taskId), (once) =>
      postReview(apiOf(args), taskId, draft, once),
    );
    return { ok: true };
  } catch (error) {
    return toFormError(error);
  }
}
