import type { SavedFilters } from "@tasklane/server/contract";
import { BellPlus } from "lucide-react";
import { useState } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { failureText } from "../../auth/failure-text.ts";
import { useAuth } from "../../auth/session.tsx";
import { paths, withReturnPath } from "../../lib/paths.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { lazyModule } from "../../ui/lazy-module.ts";
import { notify } from "../../ui/notify.tsx";
import { ReloadButton } from "../../ui/retry-buttons.tsx";
import { Spinner } from "../../ui/state-panel.tsx";

// Loaded on demand, as few visitors of Browse save a search.
const useForm = lazyModule(() => import("./saved-search.tsx"));

/** Opens the form to save these filters. Visitors log in first and come back to the same list. */
export function SaveSearch({ filters }: { filters: SavedFilters }) {
  const { user, ready } = useAuth();
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);
  const start = async () => {
    try {
      // The session may still be loading when the button is clicked.
      if (user ?? (await ready())) setOpen(true);
      else await navigate(withReturnPath(paths.login, pathname + search));
    } catch (error) {
      notify.error(failureText(error), { topic: "save-search" });
    }
  };
  return (
    <>
      <button
        type="button"
        className="btn btn-ghost btn-sm"
        aria-haspopup={user ? "dialog" : undefined}
        onClick={() => void start()}
      >
        <BellPlus />
        Save this search
      </button>
      {user && (
        <Dialog title="Save this search" open={open} onClose={() => setOpen(false)}>
          <Form filters={filters} />
        </Dialog>
      )}
    </>
  );
}

function Form({ filters }: { filters: SavedFilters }) {
  const module = useForm();
  if (module) return <module.SaveSearchForm filters={filters} />;
  if (module === undefined) return <Spinner />;
  return (
    <div className="space-y-4">
      <p role="alert">The form did not load. Check your connection, then reload the page.</p>
      <ReloadButton />
    </div>
  );
}
