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
    // What stands around every page, and what that needs.
    name: "shell",
    test: /\/client\/src\//,
    tags: ["$initial" as const],
    priority: 1,
    includeDependenciesRecursively: false,
  },
  {
    // Whole, so that its modules run in their own order.
    name: "contract",
    test: /\/server\/src\/contract\//,
    includeDependenciesRecursively: false,
  },
  {
    // What pages with forms and dialogs share.
    name: "forms",
    test: /\/client\/src\/ui\/(field|action-form|dialog|use-leave-guard)[.]/,
    priority: 1,
    minShareCount: 2,
    includeDependenciesRecursively: false,
  },
  {
    // What lists and cards share, with the icons of several pages.
    name: "tasks",
    test: /\/lucide-react\/|\/client\/src\/(features\/tasks\/task-(card|state|queries|filters)|ui\/|lib\/|auth\/log-in-again)/,
    minShareCount: 3,
    includeDependenciesRecursively: false,
  },
];
