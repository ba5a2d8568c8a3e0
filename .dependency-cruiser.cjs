// The import rules. Each comment says why; `npm run check` prints it when a rule is broken.
/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: "no-circular",
      comment: "Two files that need each other should be one file, or share a third.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "no-unresolvable",
      comment: "This import cannot be resolved: install the package or fix the path.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: "contract-stands-alone",
      comment: "The contract is shared with the browser: it may import zod and itself, nothing else.",
      severity: "error",
      from: { path: "^server/src/contract/", pathNot: "\\.test\\.ts$" },
      to: { pathNot: "(^server/src/contract/|node_modules/zod/)" },
    },
    {
      name: "client-sees-only-the-contract",
      comment:
        "The browser and the server agree through server/src/contract only; browser tests also use the tools' library.",
      severity: "error",
      from: { path: "^client/" },
      to: { path: "^server/", pathNot: "^server/(src/contract/|tools/lib/)" },
    },
    {
      name: "client-has-only-types-of-endpoints",
      comment:
        "The table of endpoints holds the OpenAPI document's prose and every schema: the browser needs its types only.",
      severity: "error",
      from: { path: "^client/", pathNot: "^client/src/testing/" },
      to: { path: "^server/src/contract/endpoints", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "server-never-imports-client",
      comment: "The API must not depend on its clients.",
      severity: "error",
      from: { path: "^server/" },
      to: { path: "^client/" },
    },
    {
      name: "client-below-does-not-import-features",
      comment: "ui, lib and auth serve every feature, so they know none of them.",
      severity: "error",
      from: { path: "^client/src/(ui|lib|auth)/" },
      to: { path: "^client/src/(app|features)/" },
    },
    {
      name: "client-features-do-not-import-app",
      comment: "app composes the features; a feature that needs app could not be deleted whole.",
      severity: "error",
      from: { path: "^client/src/features/" },
      to: { path: "^client/src/app/" },
    },
    {
      name: "client-lib-is-the-floor",
      comment: "lib imports the contract only.",
      severity: "error",
      from: { path: "^client/src/lib/" },
      to: { path: "^client/src/(ui|auth)/" },
    },
    {
      name: "one-door-to-firebase-client",
      comment: "Only one module imports Firebase; everything else uses the session.",
      severity: "error",
      from: { path: "^client/src/", pathNot: "^client/src/auth/firebase\\.ts$" },
      to: { path: "node_modules/(@firebase|firebase)/" },
    },
    {
      name: "one-door-to-firebase-server",
      comment: "Only the verifier may import firebase-admin; everything else uses the TokenVerifier port.",
      severity: "error",
      from: { path: "^server/src/", pathNot: "^server/src/auth/firebase-token-verifier\\.ts$" },
      to: { path: "node_modules/firebase-admin/" },
    },
    {
      name: "server-below-does-not-import-features",
      comment: "http, db, domain and auth serve every feature, so they know none of them.",
      severity: "error",
      from: { path: "^server/src/(http|db|domain|auth)/", pathNot: "\\.test\\.ts$" },
      to: { path: "^server/src/(features|app\\.ts|jobs\\.ts|main\\.ts|serve\\.ts)" },
    },
    {
      name: "db-knows-no-domain",
      comment:
        "db is how documents are stored and found; what they mean is decided in domain and the features.",
      severity: "error",
      from: { path: "^server/src/db/", pathNot: "\\.test\\.ts$" },
      to: { path: "^server/src/(domain|http)/" },
    },
    {
      name: "domain-and-stores-know-no-http",
      comment: "They work with documents and throw ProblemError; requests and responses belong to routes.",
      severity: "error",
      from: {
        path: "^server/src/(domain/|features/.+(store|commands|rules)\\.ts$)",
        pathNot: "\\.test\\.ts$",
      },
      to: { path: "^server/src/http/" },
    },
    {
      name: "product-never-imports-scaffolding",
      comment: "What ships must not depend on tests, benchmarks or the local launcher.",
      severity: "error",
      from: { path: "^(server|client)/src/", pathNot: "(\\.test\\.tsx?$|^client/src/testing/)" },
      to: { path: "^(server/(test|tools)|client/(e2e|src/testing))/" },
    },
    {
      name: "tools-are-no-siblings",
      comment:
        "A tool builds on lib/, model/, start/ and check/, never on another tool, so that it can be deleted whole.",
      severity: "error",
      from: { path: "^server/(src|test|tools/([^/]+))/" },
      to: { path: "^server/tools/([^/]+)/", pathNot: "^server/tools/($2|lib|model|start|check)/" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^|/)(dist|\\.data|\\.stryker|\\.tasklane)/" },
    parser: "tsc",
    tsConfig: { fileName: "tsconfig.base.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "types", "default"] },
  },
};
