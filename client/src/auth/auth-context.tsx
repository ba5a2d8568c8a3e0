import { createContext, type ReactNode, use, useSyncExternalStore } from "react";
import type { Session, SessionState } from "./session.ts";

type Actions = Omit<Session, "getState" | "subscribe">;

/** The session as components see it. */
export type Auth = SessionState & Actions;

const SessionContext = createContext<Session | null>(null);

/** Provides the session to the components below. */
export function AuthProvider({ session, children }: { session: Session; children: ReactNode }) {
  return <SessionContext value={session}>{children}</SessionContext>;
}

/** The signed-in person, whether that is still loading, and the session's actions. */
export function useAuth(): Auth {
  const session = use(SessionContext);
  if (!session) throw new Error("useAuth needs an AuthProvider above it.");
  const state = useSyncExternalStore(session.subscribe, session.getState, session.getState);
  return { ...session, ...state };
}
