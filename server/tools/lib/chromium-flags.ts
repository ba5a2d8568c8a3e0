/** Flags for every Chromium that runs tests or measurements. */
export const CHROMIUM_FLAGS = [
  // Containers and CI run as root, where Chromium's sandbox refuses to start.
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Blocks requests to every other host. */
export const THIS_HOST_ONLY = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1";
