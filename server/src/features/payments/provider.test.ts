import { expect, test } from "vitest";
import { manualProvider } from "./provider.ts";

test("When details are normalized twice, then they stay as they are; nobody can be paid with nonsense", () => {
  const { normalize } = manualProvider;
  const kept = normalize({ way: "iban", value: "gb33 bukb 2020 1555 5555 55" });
  expect(kept).toEqual({ way: "iban", value: "GB33BUKB20201555555555" });
  expect(kept && normalize(kept)).toEqual(kept);
  for (const way of ["iban", "paypal", "wise", "link"] as const) {
    expect(normalize({ way, value: "no idea" })).toBeUndefined();
    expect(normalize({ way, value: "" })).toEqual({ way, value: "" });
  }
});
