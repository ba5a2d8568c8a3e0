import type { createMemoryRouter } from "react-router-dom";
import type { Session } from "../auth/session.ts";
import type { Memory } from "../lib/memory.ts";

type Router = ReturnType<typeof createMemoryRouter>;

/**
 * Makes back and forward instant: the loaders of the page find what it showed in memory, so it stands as it was, with
 * all its tasks and at its place, before anything is asked of the API. What has changed since is then put in place.
 */
export function goBackAtOnce(router: Router, memory: Memory, session: Session): void {
  // The router listens to the same event; capturing comes first.
  window.addEventListener("popstate", () => memory.recall(), { capture: true });

  router.subscribe(({ navigation, revalidation }) => {
    if (navigation.state !== "idle" || revalidation !== "idle") return;
    memory.stopRecall();
    void takeWhatChanged();
  });

  async function takeWhatChanged(): Promise<void> {
    const { key } = router.state.location;
    if (!(await memory.refresh())) return;
    // Whoever has gone on meanwhile needs nothing of it.
    if (router.state.navigation.state !== "idle" || router.state.location.key !== key) return;
    memory.recall();
    await router.revalidate();
  }

  let known: string | null | undefined;
  session.subscribe(() => {
    const { user, loading } = session.getState();
    if (loading && known === undefined) return;
    const uid = user?.uid ?? null;
    if (known !== undefined && known !== uid) memory.forget();
    known = uid;
  });
}
