/** Files of the contract that neither tasks nor bids are made of: not for Home and Browse. */
const OF_PAGES =
  "(contact|conversation|me|notification|operator|profile|question|report|review|saved-search|saved-task)[.]";

/**
 * Left to itself the bundler makes a file of each set of modules that the same pages share: dozens of a few hundred
 * bytes, which compress badly and are requested one by one. These groups are one file each.
 */
export const chunks = [
  {
    // What the session needs of the app: it begins before the rest is there (app-start.ts).
    name: "base",
    test: /vite\/preload-helper|\/client\/src\/(auth\/auth-gateway|lib\/env)[.]/,
    priority: 4,
    includeDependenciesRecursively: false,
  },
  {
    // What runs every page. It changes seldom: a new version of the app leaves it in the browser's cache.
    name: "vendor",
    test: /\/node_modules\/(react|react-dom|scheduler|react-router|react-router-dom|@tanstack|zod)\//,
    priority: 3,
    includeDependenciesRecursively: false,
  },
  {
    // What stands around every page, with its icons and what else that needs. Without main.tsx: were nothing left of the
    // entry, index.html would name all its chunks, and the manifest none for it.
    name: "shell",
    test: /\/client\/src\/(?!main[.])|\/server\/src\/contract\/|\/lucide-react\//,
    tags: ["$initial" as const],
    priority: 2,
    includeDependenciesRecursively: false,
  },
  {
    // What Home and Browse share: lists and cards of tasks, and the contract but for what the shell and "pages" have of it.
    name: "tasks",
    test: new RegExp(
      `/server/src/contract/(?!${OF_PAGES})|/client/src/features/tasks/task-(card|filters|queries)[.]|` +
        "/client/src/ui/(art/|stars[.]|use-media[.])|/icons/(chevron-right|pause|play)[.]",
    ),
    priority: 1,
  },
  {
    // What Browse shares with forms, and its icons, which many others have too.
    name: "fields",
    test: /\/client\/src\/ui\/(dialog|form-alert|load-more)[.]|\/icons\/(bell-plus|clipboard-list|search|search-x|sliders-horizontal)[.]/,
    priority: 1,
  },
  {
    // What several of the other pages share, forms above all, and the contract of those pages. Also what a task's page
    // shares with those of its client and its bidders.
    name: "pages",
    test: new RegExp(
      `/server/src/contract/${OF_PAGES}|/client/src/(ui|lib)/|/client/src/auth/(account-fields|auth-form-error)[.]|` +
        "/client/src/features/(bids|delivery|questions|reports)/|/client/src/features/tasks/(live-tasks|owner-actions)[.]|" +
        "/client/src/features/saved-tasks/(save-button|use-saved|saved-task-queries)[.]|/lucide-react/",
    ),
    minShareCount: 2,
    includeDependenciesRecursively: false,
  },
  {
    // What the menu of the account shares with the dashboard's side bar and the page of notifications. Without the menu
    // itself: there is a page without it.
    name: "account",
    test: /\/client\/src\/(app\/dash-links|features\/notifications\/use-notifications)[.]/,
  },
];
