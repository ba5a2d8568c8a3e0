/** What runs every page. It changes seldom: a new version of the app leaves it in the browser's cache. */
const BASE =
  /\/node_modules\/(react|react-dom|scheduler|react-router|react-router-dom|zod)\/|\/client\/src\/(auth\/auth-gateway|lib\/site)[.]ts$/;

/** What a task's card is made of. */
const CARDS = new RegExp(
  "/client/src/(features/tasks/(task-card|task-state-mark|tasks-api)|ui/(avatar|state-mark)|lib/(format|pages|task-state))[.]tsx?$" +
    "|/lucide-react/.*/icons/(badge-check|ban|calendar-days|circle-check-big|circle-dot|clock|eye-off)[.]|/ui/art/task-poster-default[.]svg",
);

/**
 * Rolldown's way of splitting makes a file of each set of modules that the same pages share: a dozen of a few hundred
 * bytes, which compress badly and are asked for one by one. These two come as one file each.
 */
export const chunks = {
  name: (id: string) => (BASE.test(id) ? "base" : CARDS.test(id) ? "cards" : null),
  includeDependenciesRecursively: false,
};
