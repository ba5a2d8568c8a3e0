import { useState } from "react";
import { useAuth } from "../../auth/auth-context.tsx";
import { failureText } from "../../auth/failure-text.ts";
import { notify } from "../../ui/notify.ts";

/** 'Login with Google': a success toast of 5000 ms (SPEC section 9), and a message where the product only logged. */
export function GoogleButton({ onStart, onSignedIn }: { onStart: () => void; onSignedIn: () => void }) {
  const { signInWithGoogle } = useAuth();
  const [busy, setBusy] = useState(false);

  const signIn = async () => {
    if (busy) return;
    setBusy(true);
    onStart();
    notify.dismiss("session");
    try {
      await signInWithGoogle();
      notify.success("Google Login Successfully!", { topic: "session" });
      onSignedIn();
    } catch (error) {
      notify.error(failureText(error), { topic: "session" });
      setBusy(false);
    }
  };

  return (
    <button
      type="button"
      className="btn w-full btn-outline"
      onClick={signIn}
      aria-disabled={busy || undefined}
    >
      <GoogleMark />
      Login with Google
    </button>
  );
}

function GoogleMark() {
  return (
    <svg viewBox="0 0 24 24" className="size-5" aria-hidden="true">
      <path
        fill="none"
        stroke="currentColor"
        strokeWidth="3"
        strokeLinecap="round"
        d="M18.5 6.5A8.5 8.5 0 1 0 20.5 12H12.5"
      />
    </svg>
  );
}
