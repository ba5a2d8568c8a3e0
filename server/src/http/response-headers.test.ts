import { expect, test } from "vitest";
import { useHarness } from "../../test/harness.ts";

const settings = { corsOrigins: [], firebase: { projectId: "my-project" }, trustProxy: 0 };
const production = useHarness({ settings: { ...settings, env: "production" } });
const development = useHarness({ settings: { ...settings, env: "development" } });

test("When this is a production, then browsers come back over https only; elsewhere that would lock people out", async () => {
  const { headers } = await production.as().get("/tasks?limit=1").expect(200);
  expect(headers["strict-transport-security"]).toBe("max-age=31536000");
  const other = await development.as().get("/tasks?limit=1").expect(200);
  expect(other.headers).not.toHaveProperty("strict-transport-security");
});

test("When data is sent, errors too, then nothing of it runs, is framed or taken for a page, however the path is written", async () => {
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

test("When anything else is sent, then nothing inline runs, nobody frames it and no device is asked for", async () => {
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
    // What is left: libraries for animation and dialogs write style attributes.
    expect(policy["style-src-attr"]).toBe("style-src-attr 'unsafe-inline'");
    expect(headers["x-frame-options"]).toBe("DENY");
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["permissions-policy"]).toContain("camera=()");
    for (const banner of ["x-powered-by", "server"]) expect(headers).not.toHaveProperty(banner);
  }
});

test("When a response depends on who asks, then no cache shares it, and errors are kept nowhere", async () => {
  for (const path of ["/tasks?limit=1", "/tasks"]) {
    const { headers } = await production.as().get(path).expect(200);
    expect(headers["cache-control"]).toBe("no-cache");
    expect(headers["vary"]).toBe("Origin, Authorization, Accept-Encoding");
  }
  for (const path of ["/tasks/nonsense", "/health", "/ready"]) {
    expect((await production.as().get(path)).headers["cache-control"]).toBe("no-store");
  }
});
