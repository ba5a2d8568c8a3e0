import { expect, test } from "vitest";
import { useHarness } from "../../test/harness.ts";

const settings = { corsOrigins: [], firebase: { projectId: "my-project" }, trustProxy: 0 };
const production = useHarness({ settings: { ...settings, env: "production" } });
const development = useHarness({ settings: { ...settings, env: "development" } });

test("When NODE_ENV is production, then browsers must use https from now on; elsewhere that would lock people out", async () => {
  const { headers } = await production.ok().get("/tasks?limit=1");
  expect(headers["strict-transport-security"]).toBe("max-age=31536000");
  const other = await development.ok().get("/tasks?limit=1");
  expect(other.headers).not.toHaveProperty("strict-transport-security");
});

test("When data or an error is sent, then nothing in it can run, be framed or be sniffed as a page, whatever the case of the path", async () => {
  for (const path of [
    "/tasks?limit=1",
    "/TASKS/nonsense",
    "/me",
    "/profiles/x",
    "/health",
    "/openapi.json",
    "/assets/shell.js",
  ]) {
    const { headers } = await production.as().get(path);
    expect(headers["content-security-policy"], path).toBe("default-src 'none';frame-ancestors 'none'");
    expect(headers["x-frame-options"]).toBe("DENY");
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["cross-origin-resource-policy"]).toBe("same-origin");
    for (const banner of ["x-powered-by", "server"]) expect(headers).not.toHaveProperty(banner);
  }
});

test("When anything else is sent, then no inline script runs, it cannot be framed and device features are off", async () => {
  for (const path of ["/nothing", "/tasksheet", "/api-docs", "/me/unsubscribe", "/"]) {
    const { headers } = await production.as().get(path);
    const policy = Object.fromEntries(
      String(headers["content-security-policy"])
        .split(";")
        .map((directive) => [directive.split(" ", 1)[0], directive]),
    );
    expect(policy["script-src"], path).toBe("script-src 'self' https://apis.google.com");
    expect(policy["script-src-attr"]).toBe("script-src-attr 'none'");
    expect(policy["style-src"]).not.toContain("unsafe");
    expect(policy["object-src"]).toBe("object-src 'none'");
    expect(policy["frame-ancestors"]).toBe("frame-ancestors 'none'");
    // Libraries for animation and dialogs set style attributes.
    expect(policy["style-src-attr"]).toBe("style-src-attr 'unsafe-inline'");
    expect(headers["x-frame-options"]).toBe("DENY");
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["permissions-policy"]).toContain("camera=()");
    for (const banner of ["x-powered-by", "server"]) expect(headers).not.toHaveProperty(banner);
  }
});

test("When a request fails, or asks for the server's state, then the response is not stored", async () => {
  for (const path of ["/tasks/nonsense", "/health", "/ready"]) {
    expect((await production.as().get(path)).headers["cache-control"]).toBe("no-store");
  }
});
