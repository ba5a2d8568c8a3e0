import type { Me } from "@tasklane/server/contract";
import { useFetcher } from "react-router-dom";
import { type FormResult, formErrorOf } from "../../lib/forms.ts";
import { FormAlert } from "../../ui/form-alert.tsx";

/** The switch for notifications by email. It moves at once, and back with a message if it could not be saved. */
export function EmailNotices({ me }: { me: Me }) {
  const fetcher = useFetcher<FormResult>();
  const { data: result, formData } = fetcher;
  const on = formData ? formData.get("emailNotices") === "on" : me.emailNotices;
  const error = formErrorOf(fetcher);
  return (
    <div className="space-y-3">
      <FormAlert error={error}>{error && `Not saved. ${error.message}`}</FormAlert>
      <label className="flex items-start gap-3">
        <input
          type="checkbox"
          name="emailNotices"
          className="toggle mt-0.5 toggle-primary"
          aria-describedby="email-notices-hint"
          checked={on && me.emailAvailable}
          disabled={!me.emailAvailable}
          onChange={(event) =>
            void fetcher.submit(event.target.checked ? { emailNotices: "on" } : {}, { method: "post" })
          }
        />
        <span className="min-w-0 font-medium wrap-anywhere">Send me my notifications by email too</span>
      </label>
      <p id="email-notices-hint" className="quiet text-sm">
        {me.emailAvailable
          ? "New bids, awards and changes, to the address you sign in with. In the app you get them either way."
          : "This installation of Tasklane cannot send email. You find all notifications behind the bell."}
      </p>
      <p role="status" className="sr-only">
        {result?.ok && !formData && "Saved."}
      </p>
    </div>
  );
}
