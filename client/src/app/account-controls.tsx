import { lazy, Suspense } from "react";
import { Link } from "react-router-dom";
import { useAuth } from "../auth/auth-context.tsx";
import { paths } from "../lib/paths.ts";

// A visitor needs neither popups nor tooltips.
const SignedInControls = lazy(() =>
  import("./signed-in-controls.tsx").then((module) => ({ default: module.SignedInControls })),
);

/** The right end of a top bar: avatar and LogOut for a signed-in person, Login and Sign up for a visitor. */
export function AccountControls() {
  const { user, loading } = useAuth();
  if (user) {
    return (
      <Suspense fallback={<Placeholder />}>
        <SignedInControls user={user} />
      </Suspense>
    );
  }
  if (loading) return <Placeholder />;
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
