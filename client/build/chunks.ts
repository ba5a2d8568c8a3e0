/**
 * Left to itself the bundler makes a file of each set of modules that the same pages share: dozens of a few hundred
 * bytes, which compress badly and are requested one by one. These groups are one file each.
 */
export const chunks = [
  {
    // What runs every page. It changes seldom: a new version of the app leaves it in the browser's cache.
    name: "vendor",
    test: /\/node_modules\/(react|react-dom|scheduler|react-router|react-router-dom|@tanstack|zod)\/|vite\/preload-helper/,
    priority: 2,
    includeDependenciesRecursively: false,
  },
  {
    // What stands around every page, with its icons and what else that needs. Without main.tsx: were nothing left of the
    // entry, index.html would name all its chunks, and the manifest none for it.
    name: "shell",
    test: /\/client\/src\/(?!main[.])|\/server\/src\/contract\/|\/lucide-react\//,
    tags: ["$initial" as const],
    priority: 1,
    includeDependenciesRecursively: false,
  },
  {
    // What of the contract neither tasks nor bids are made of: not for Home and Browse.
    name: "contract-pages",
    test: /\/server\/src\/contract\/(contact|conversation|notification|operator|profile|question|report|saved-search|saved-task)[.]/,
    priority: 2,
    includeDependenciesRecursively: false,
  },
  {
    // The contract but for what the shell has of it. Whole, so that its modules run in their own order.
    name: "contract",
    test: /\/server\/src\/contract\//,
    priority: 1,
  },
  {
    // What Home and Browse share: lists and cards of tasks.
    name: "tasks",
    test: /\/client\/src\/features\/tasks\/task-(card|filters|queries)[.]|\/client\/src\/ui\/(art\/|stars[.]|use-media[.])|\/icons\/(chevron-right|pause|play)[.]/,
    priority: 1,
  },
  {
    // What Browse shares with forms, and its icons, which many others have too.
    name: "fields",
    test: /\/client\/src\/ui\/(dialog|form-alert|load-more)[.]|\/icons\/(bell-plus|clipboard-list|search|search-x)[.]/,
    priority: 1,
  },
  {
    // What pages with forms share.
    name: "forms",
    test: /\/client\/src\/(ui\/(action-form|field|use-leave-guard)|lib\/(forms|drafts)|auth\/auth-form-error)[.]/,
    minShareCount: 2,
  },
  {
    // What a task's page shares with those of its client and its bidders.
    name: "task-pages",
    test: /\/client\/src\/features\/((bids|delivery|questions|reports)\/|tasks\/(live-tasks|owner-actions)[.])|\/icons\/(clipboard-plus|external-link|inbox)[.]/,
    minShareCount: 2,
    includeDependenciesRecursively: false,
  },
  {
    // What several of the other pages share.
    name: "pages",
    test: /\/lucide-react\/|\/client\/src\/(ui|lib)\//,
    minShareCount: 3,
  },
];
