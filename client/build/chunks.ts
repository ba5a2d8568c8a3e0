/**
 * By default the bundler makes one chunk per set of modules that the same pages share: dozens of a few hundred bytes,
 * which compress badly and each cost a request. Each group here becomes one chunk.
 */
export const chunks = [
  {
    // The modules that the session needs: it starts before the rest of the app has loaded (app-start.ts).
    name: "base",
    test: /vite\/preload-helper|\/client\/src\/(auth\/person|lib\/env)[.]/,
    priority: 4,
    includeDependenciesRecursively: false,
  },
  {
    // The libraries behind every page. They change rarely, so this chunk stays cached across releases.
    name: "vendor",
    test: /\/node_modules\/(react|react-dom|scheduler|react-router|react-router-dom|@tanstack)\//,
    priority: 3,
    includeDependenciesRecursively: false,
  },
  {
    // The frame of every page and its dependencies. main.tsx stays out: with an empty entry chunk, index.html would
    // list every chunk and the manifest would list none for the entry.
    name: "shell",
    test: /\/client\/src\/(?!main[.])|\/server\/src\/contract\/|\/lucide-react\//,
    tags: ["$initial" as const],
    priority: 2,
    includeDependenciesRecursively: false,
  },
  {
    // Shared by Home and Browse: task lists and cards.
    name: "tasks",
    test: new RegExp(
      "/server/src/contract/task-state[.]|/client/src/features/tasks/task-(card|filters|queries)[.]|" +
        "/client/src/lib/filters[.]|/client/src/ui/(art/|(last-list|now|use-media)[.])|/icons/(chevron-right|pause|play|search)[.]",
    ),
    priority: 1,
  },
  {
    // On Home and in reviews, but not on Browse.
    name: "stars",
    test: /\/client\/src\/ui\/stars[.]/,
    priority: 1,
  },
  {
    // Shared by Browse and forms, with Browse's icons, which many other pages use too.
    name: "fields",
    test: /\/client\/src\/ui\/(choice|dialog|form-alert|load-more)[.]|\/icons\/(bell-plus|clipboard-list|search-x|sliders-horizontal)[.]/,
    priority: 1,
  },
  {
    // Shared by Browse and the directory of people.
    name: "filters",
    test: /\/client\/src\/ui\/(filter-bar|lists)[.]/,
    priority: 1,
  },
  {
    // Shared by several of the other pages: mostly forms, the contract's schemas, and zod.
    name: "pages",
    test: new RegExp(
      "/server/src/contract/|/node_modules/zod/|/client/src/(ui|lib)/|/client/src/auth/(account-fields|download-button|photo)[.]|" +
        "/client/src/features/(agreements|bids|disputes|conversations|files|delivery|payments|people|questions|reports)/|/client/src/features/tasks/(live-tasks|owner-actions|detail/)|" +
        "/client/src/features/saved-tasks/save-button[.]|/lucide-react/",
    ),
    minShareCount: 2,
    includeDependenciesRecursively: false,
  },
  {
    // Shared by the account menu, the dashboard's sidebar and the notifications page. The menu itself stays out, since
    // one page does without it.
    name: "account",
    test: /\/client\/src\/(app\/dash-links|features\/notifications\/notification-list)[.]/,
  },
];
