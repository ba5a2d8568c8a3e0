import type { Me } from "@tasklane/server/contract";
import { useFetcher } from "react-router-dom";
import { LogInAgain } from "../../auth/log-in-again.tsx";
import { FormAlert } from "../../ui/form-alert.tsx";
import type { SettingsResult } from "./settings-data.ts";

/** The switch for notices by e-mail. It moves at once, and back with a message if it could not be saved. */
export function EmailNotices({ me }: { me: Me }) {
  const fetcher = useFetcher<SettingsResult>();
  const { data: result, formData } = fetcher;
  const on = formData ? formData.get("emailNotices") === "on" : me.emailNotices;
  const failure = result && !result.ok && !formData ? result : undefined;
  return (
    <div className="space-y-3">
      <FormAlert>
        {failure && (
          <>
            Not saved. {failure.message} {failure.sessionOver && <LogInAgain />}
          </>
        )}
      </FormAlert>
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
        <span className="min-w-0 font-medium wrap-anywhere">Send me my notifications by e-mail too</span>
      </label>
      <p id="email-notices-hint" className="quiet text-sm">
        {me.emailAvailable
          ? "New bids, awards and changes, to the address you sign in with. In the app you get them either way."
          : "This installation of Tasklane cannot send e-mail. You find all notifications behind the bell."}
      </p>
      <p role="status" className="sr-only">
        {result?.ok && !formData && "Saved."}
      </p>
    </div>
  );
}
