import { Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import { Field } from "./old-field.tsx";

type Props = { autoComplete: "current-password" | "new-password"; error?: string | undefined; hint?: string };

/** A password with a button to look at it. */
export function PasswordField({ autoComplete, error, hint }: Props) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <Field name="password" label="Password" error={error} hint={hint}>
      {(control) => (
        <span className="input w-full pr-1">
          <input
            {...control}
            type={shown ? "text" : "password"}
            autoComplete={autoComplete}
            required
            className="grow"
          />
          <button
            type="button"
            className="btn btn-square btn-ghost btn-sm"
            aria-label={shown ? "Hide password" : "Show password"}
            onClick={() => setShown(!shown)}
          >
            <Icon aria-hidden="true" className="size-4" />
          </button>
        </span>
      )}
    </Field>
  );
}
