import { expect, test } from "vitest";
import { Ledger } from "./ledger.ts";

const NOTHING = {
  lostTasks: [],
  duplicatedTasks: [],
  unknownTasks: [],
  lostBids: [],
  duplicatedBids: [],
  wrongCounts: [],
  neverSettled: [],
  overtaken: [],
};

test("When everything acknowledged is stored once, then nothing is found", () => {
  const ledger = new Ledger();
  ledger.posted("a", "acknowledged", "1");
  ledger.posted("b", "unsure");
  ledger.posted("c", "unsure");
  ledger.bid("1", "ann", 10, "acknowledged");
  ledger.bid("1", "bob", 20, "acknowledged");
  ledger.bid("1", "bob", "none", "acknowledged");
  const tasks = [
    { id: "1", title: "a", bidsCount: 1 },
    { id: "2", title: "b", bidsCount: 0 },
  ];
  expect(ledger.compare({ tasks, bids: [{ taskId: "1", bidderId: "ann", amount: 10 }] })).toEqual(NOTHING);
});

test("When an acknowledged task is missing or duplicated, or a refused one is stored, then each is found", () => {
  const ledger = new Ledger();
  ledger.posted("lost", "acknowledged", "1");
  ledger.posted("twice", "acknowledged", "2");
  ledger.posted("refused", "refused");
  const tasks = ["twice", "twice", "refused"].map((title, index) => ({
    id: `${index + 2}`,
    title,
    bidsCount: 0,
  }));
  const { lostTasks, duplicatedTasks, unknownTasks } = ledger.compare({ tasks, bids: [] });
  expect({ lostTasks, duplicatedTasks, unknownTasks }).toEqual({
    lostTasks: ["lost"],
    duplicatedTasks: ["twice"],
    unknownTasks: ["refused"],
  });
});

test("When a bid differs from what was last acknowledged, then it is lost, unless a request without a response explains it", () => {
  const ledger = new Ledger();
  ledger.bid("1", "gone", 10, "acknowledged");
  ledger.bid("1", "older", 10, "acknowledged");
  ledger.bid("1", "older", 20, "acknowledged");
  ledger.bid("1", "back", 10, "acknowledged");
  ledger.bid("1", "back", "none", "acknowledged");
  ledger.bid("1", "maybe", 10, "acknowledged");
  ledger.bid("1", "maybe", 20, "unsure");
  ledger.bid("1", "late", 10, "unsure");
  ledger.bid("1", "late", 20, "acknowledged");
  const bids = ["older", "back", "maybe", "late"].map((bidderId) => ({ taskId: "1", bidderId, amount: 10 }));
  const { lostBids, overtaken, neverSettled } = ledger.compare({
    tasks: [{ id: "1", title: "t", bidsCount: 4 }],
    bids,
  });
  expect(lostBids.map((text) => text.split(":")[0])).toEqual(["1 gone", "1 older", "1 back"]);
  expect(neverSettled).toEqual(["1 maybe"]);
  expect(overtaken).toEqual(["1 late: acknowledged 20, stored 10"]);
});

test("When somebody has two bids on a task, or a count is wrong, then it is found", () => {
  const ledger = new Ledger();
  ledger.posted("t", "acknowledged", "1");
  ledger.bid("1", "ann", 10, "acknowledged");
  const bid = { taskId: "1", bidderId: "ann", amount: 10 };
  const findings = ledger.compare({ tasks: [{ id: "1", title: "t", bidsCount: 1 }], bids: [bid, bid] });
  expect(findings.duplicatedBids).toEqual(["1 ann"]);
  expect(findings.wrongCounts).toEqual(["1: bidsCount 1, bids 2"]);
});
