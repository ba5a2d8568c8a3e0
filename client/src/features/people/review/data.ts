import { type ReviewDraft, reviewDraftSchema } from "@tasklane/server/contract";
import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "react-router-dom";
import { apiOf } from "../../../lib/api-context.ts";
import { paths } from "../../../lib/paths.ts";
import { invalidForm, type Refusal, refusal } from "../../../lib/refusal.ts";
import { postReview } from "../people-api.ts";

/** What became of a submitted review. */
export type ReviewResult = { ok: true } | Refusal;

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
    await postReview(apiOf(args), args.params["id"] ?? "", draft);
    return { ok: true };
  } catch (error) {
    return refusal(error);
  }
}
