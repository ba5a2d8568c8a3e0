import { expect, test } from "vitest";
import { scoresOf, scoreTable, totalOf } from "./report.ts";

const mutants = (...statuses: string[]) => ({ mutants: statuses.map((status) => ({ status })) });

test("When mutants were killed, timed out, survived or could not be run, then the score covers those that tests could notice", () => {
  const files = {
    "a.ts": mutants("Killed", "Timeout", "Killed", "Survived", "Ignored", "RuntimeError"),
    "b.ts": mutants("NoCoverage", "Killed"),
    "c.ts": mutants(),
  };
  const scores = scoresOf({ files });
  expect(scoreTable([...scores, totalOf("all", scores)]).split("\n")).toEqual([
    "| file | mutants | killed | of these by time-out | survived | score |",
    "| --- | ---: | ---: | ---: | ---: | ---: |",
    "| a.ts | 4 | 3 | 1 | 1 | 75.0 % |",
    "| b.ts | 2 | 1 | 0 | 1 | 50.0 % |",
    "| c.ts | 0 | 0 | 0 | 0 |  |",
    "| all | 6 | 4 | 1 | 2 | 66.7 % |",
  ]);
});
