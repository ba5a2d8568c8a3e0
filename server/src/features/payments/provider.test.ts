import { describe, expect, test } from "vitest";
import { manualProvider, type PaymentProvider } from "./provider.ts";

const PROVIDERS: [name: string, provider: PaymentProvider][] = [["manual", manualProvider]];

// What every way of paying keeps to.
describe.each(PROVIDERS)("the %s provider", (_name, provider) => {
  const order = { taskId: "a".repeat(24), amount: 120.5, reference: "Task 7", to: undefined };

  test("When a task is paid, then it is paid or received, and says with which reference", async () => {
    const { state, reference } = await provider.pay(order);
    expect(["paid", "received"]).toContain(state);
    expect(reference.length).toBeLessThanOrEqual(140);
  });

  test("When the same task is paid again, then the outcome is the same", async () => {
    expect(await provider.pay(order)).toEqual(await provider.pay(order));
  });

  test("When details are normalized twice, then they stay as they are; nobody can be paid with nonsense", () => {
    const kept = provider.normalize({ way: "iban", value: "gb33 bukb 2020 1555 5555 55" });
    expect(kept).toEqual({ way: "iban", value: "GB33BUKB20201555555555" });
    expect(kept && provider.normalize(kept)).toEqual(kept);
    for (const way of ["iban", "paypal", "wise", "link"] as const) {
      expect(provider.normalize({ way, value: "no idea" })).toBeUndefined();
      expect(provider.normalize({ way, value: "" })).toEqual({ way, value: "" });
    }
  });
});
