import { Link } from "react-router-dom";
import { useAuth } from "../auth/auth-context.tsx";
import { paths } from "../lib/paths.ts";
import { ReloadButton } from "../ui/reload-button.tsx";
import { SignedInControls } from "./signed-in-controls.tsx";

/** The right end of a top bar: avatar and LogOut for a signed-in person, Login and Sign up for a visitor. */
export function AccountControls() {
  const { user, loading, unknown } = useAuth();
  if (user) return <SignedInControls user={user} />;
  if (loading) return <Placeholder />;
  // Neither signed in nor out: whoever is signed in must not be told to log in.
  if (unknown) return <ReloadButton className="btn btn-outline" text="Reload to sign in" />;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Link to={paths.login} className="btn btn-ghost">
        Login
      </Link>
      <Link to={paths.register} className="btn btn-primary hidden @min-[40rem]:inline-flex">
        Sign up
      </Link>
    </div>
  );
}

/** Keeps the place until it is known who is there. */
function Placeholder() {
  return <span className="h-10 w-28 @min-[40rem]:w-40" aria-hidden="true" />;
}
