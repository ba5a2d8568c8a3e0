// @ts-check
/*
 * The product from server/dist as in production, except that a token is the id of its person: Firebase's verifier would
 * download Google's keys. Not through tsx, which would rewrite the bundle.
 */
const dist = new URL("../../../dist/", import.meta.url).href;
const { loadConfig } = await import(`${dist}config.js`);
const { serve } = await import(`${dist}serve.js`);
const { MONGODB_URI, CACHE } = process.env;

const config = loadConfig({
  NODE_ENV: "production",
  HOST: "127.0.0.1",
  PORT: "0",
  METRICS_PORT: "0",
  MONGODB_URI,
  FIREBASE_PROJECT_ID: "demo-tasklane",
  WEB_URL: "https://tasklane.example",
  // The load comes from many addresses, as through a proxy, and must not reach the daily limits.
  TRUST_PROXY: "1",
  BIDS_PER_DAY: "0",
  TASKS_PER_DAY: "0",
});
const verifier = {
  /** @param {string} uid */
  verify: async (uid) => ({
    uid,
    email: `${uid}@people.example`,
    name: uid,
    loggedInAt: new Date(),
    tokenExpiresAt: new Date(Date.now() + 3_600_000),
  }),
};
const { port } = await serve(config, CACHE === "off" ? { verifier, cacheMs: 0 } : { verifier });
const report = () => process.send?.({ port, rss: process.memoryUsage.rss() });
report();
setInterval(report, 1_000);
