import { describe, expect, test } from "vitest";
import { type Model, type Operation, whyNotLinearizable } from "./linearizability.ts";

/** `w1 0-2` writes 1 from 0 to 2 ms; `r1` reads 1; the outcome of `w1 0-?` is unknown. */
type RegisterInput = { write: string } | "read";
const register: Model<string, RegisterInput, string> = {
  initial: "0",
  step: (state, input, output) => {
    if (input !== "read") return input.write;
    return output === undefined || output === state ? state : undefined;
  },
  keyOf: (state) => state,
};

function history<Input>(text: string, inputOf: (action: string, value: string) => Input) {
  return text.split(", ").map((line): Operation<Input, string> => {
    const [, action = "", value = "", from, to] = /^([a-z])(\w+) (\d+)-(\d+|\?)$/.exec(line) ?? [];
    const output = to === "?" ? undefined : value;
    return { input: inputOf(action, value), output, beganAt: Number(from), endedAt: Number(to) };
  });
}
const onRegister = (text: string) =>
  whyNotLinearizable(
    history<RegisterInput>(text, (action, value) => (action === "w" ? { write: value } : "read")),
    register,
  );

describe("a register", () => {
  test.each([
    "w1 0-1, r1 2-3",
    "w1 0-9, r0 1-2, r1 3-4",
    "w1 0-9, r1 1-2, r1 3-4",
    "w1 0-3, w2 1-4, r1 5-6",
    "w1 0-2, r0 2-3",
    "w1 0-?, r0 1-2, r1 8-9",
    "w1 0-?, r0 1-2, r0 8-9",
    "w1 0-?, w2 1-2, r2 3-4, r1 5-6, r1 7-8",
    "r0 0-10, w1 1-9, r1 2-3, w2 4-5, r2 6-7, r2 8-12",
  ])("When the history is %s, then it can be ordered", (text) => {
    expect(onRegister(text)).toBeUndefined();
  });

  test.each([
    ["w1 0-1, r0 2-3", "r0"],
    ["w1 0-9, r1 1-2, r0 3-4", "r0"],
    ["w1 0-3, w2 1-4, r1 5-6, r2 7-8", "r2"],
    ["w1 0-1, w2 2-3, r1 4-5", "r1"],
    ["w1 0-?, r1 1-2, r0 3-4", "r0"],
    ["r1 0-1, w1 2-3", "r1"],
    ["w1 0-?, w2 1-2, r1 3-4, r2 5-6", "r2"],
  ])("When the history is %s, then it cannot be ordered, and %s is where it gets stuck", (text, stuck) => {
    expect(onRegister(text)?.output).toBe(stuck.slice(1));
  });
});

test("When an impossible history has many concurrent operations, then it is rejected quickly, because no state is tried twice", () => {
  const writes = Array.from({ length: 14 }, (_, number) => `w1 ${number}-${100 + number}`);
  expect(onRegister([...writes, "r2 200-201"].join(", "))?.output).toBe("2");
});
