import { useState } from "react";
import { Link, useLocation } from "react-router-dom";
import * as z from "zod/mini";
import { authFormError, emailSchema } from "../../auth/account-fields.ts";
import { failureCode } from "../../auth/failure-text.ts";
import { useAuth } from "../../auth/session.tsx";
import { firebaseSettings } from "../../lib/env.ts";
import { paths } from "../../lib/paths.ts";
import { site } from "../../lib/site.ts";
import { Field } from "../../ui/field.tsx";
import { SchemaForm } from "../../ui/schema-form.tsx";
import { AuthCard } from "./auth-card.tsx";

const schema = z.object({ email: emailSchema });

/** Reset password: asks for the address to send the link to. */
export function Component() {
  const { sendPasswordReset } = useAuth();
  const [sentTo, setSentTo] = useState<string>();
  // Contains the page to return to after login.
  const { search } = useLocation();
  return (
    <AuthCard
      page="Reset password"
      title="Reset your password"
      intro="We'll send you a link to choose a new one."
    >
      <SchemaForm
        schema={schema}
        // Says the same whether or not the account exists.
        save={async ({ email }) => {
          await sendPasswordReset(email).catch((error) => {
            if (failureCode(error) !== "wrong-credentials") throw error;
          });
          return email;
        }}
        toError={authFormError}
        submit="Send reset link"
        onSubmit={() => setSentTo(undefined)}
        onSaved={setSentTo}
      >
        <Field name="email" label="Email" type="email" autoComplete="email" enterKeyHint="send" required />
      </SchemaForm>
      <div role="status" className="space-y-2 text-sm empty:absolute">
        {sentTo && (
          <p>
            If there is an account for <strong>{sentTo}</strong>, a link is on its way. Check the spam folder,
            too.
          </p>
        )}
        {sentTo && !firebaseSettings() && (
          <p className="quiet">
            On this local installation no email is sent: the terminal that runs {site.brand} prints the link.
            Put your new password at the end of it, in place of NEW_PASSWORD_HERE, and open it.
          </p>
        )}
      </div>
      <p className="text-center text-sm">
        <Link to={{ pathname: paths.login, search }} className="link link-primary">
          Back to login
        </Link>
      </p>
    </AuthCard>
  );
}
