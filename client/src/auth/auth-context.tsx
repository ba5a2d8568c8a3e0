import { createContext, type ReactNode, use, useSyncExternalStore } from "react";
import type { Session, SessionState } from "./session.ts";

type Actions = Omit<Session, "getState" | "subscribe">;

/** What components see of the session. */
export type Auth = SessionState & Actions;

const SessionContext = createContext<Session | null>(null);

/** Makes the session available to components below. */
export function AuthProvider({ session, children }: { session: Session; children: ReactNode }) {
  return <SessionContext value={session}>{children}</SessionContext>;
}

/** The signed-in person, whether that is still being found out, and the actions on it. */
export function useAuth(): Auth {
  const session = use(SessionContext);
  if (!session) throw new Error("useAuth needs an AuthProvider above it.");
  const state = useSyncExternalStore(session.subscribe, session.getState, session.getState);
  return { ...session, ...state };
}
