import { useState } from "react";
import { Dialog } from "../../ui/dialog.tsx";
import { DeleteForm } from "./delete-form.tsx";
import { useAccountDeletion } from "./use-account-deletion.ts";

/** What deleting the account means, and the way there. */
export function DeleteAccount() {
  const [open, setOpen] = useState(false);
  const deletion = useAccountDeletion();
  return (
    <>
      <div className="quiet space-y-2">
        <p>This cannot be undone. When you delete your account:</p>
        <ul className="list-disc space-y-1 pl-5">
          <li>your open tasks are cancelled, and their bidders are told;</li>
          <li>your bids are withdrawn;</li>
          <li>reviews you wrote stay, without your name; your profile is gone;</li>
          <li>your notifications, settings and your login are deleted.</li>
        </ul>
      </div>
      <button type="button" className="btn btn-outline btn-error" onClick={() => setOpen(true)}>
        Delete my account
      </button>
      <Dialog
        title="Delete my account?"
        open={open}
        onClose={() => {
          setOpen(false);
          deletion.reset();
        }}
      >
        <DeleteForm deletion={deletion} />
      </Dialog>
    </>
  );
}
