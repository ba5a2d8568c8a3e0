import { expect, test } from "vitest";
import { aNotificationDoc, aPersonDoc } from "../../../test/builders.ts";
import { LINKS } from "../../../test/use-mail-server.ts";
import { NOTIFICATION_KINDS } from "../../contract/index.ts";
import { composeMail } from "./compose-mail.ts";

const reader = { ...aPersonDoc({ _id: "ada" }), unsubscribeKey: "key" };

test.each(NOTIFICATION_KINDS)(
  "When a notification is %s, then its email says so for every reader",
  (kind) => {
    for (const reading of [{}, { asClient: false }, { asClient: false, saved: true as const }]) {
      const { subject, text } = composeMail(aNotificationDoc({ kind, ...reading }), reader, LINKS);
      if (kind !== "task-hidden") expect(subject).toContain("“Build a booking page”");
      expect(subject).toMatch(/^[A-Z“]/);
      expect(text).toMatch(/\nhttps:\/\/tasklane\.example\/(?:taskdetails|dash)\/\S+\n/);
      expect(subject + text).not.toMatch(/undefined|[{}]|\.\.| {2}/);
      expect(text).toContain(subject.replace(/\?$/, ""));
    }
  },
);

test("When bids wait for a decision, then the email says when the task closes", () => {
  const { text } = composeMail(aNotificationDoc({ kind: "bids-undecided" }), reader, LINKS);
  expect(text).toContain("It closes 30 days after its deadline, at least 7 days after this reminder.");
});

test.each([
  "change-proposed",
  "changes-requested",
  "end-proposed",
  "dispute-decided",
  "payment-sent",
  "payment-received",
  "payment-missing",
  "task-cancelled",
  "task-hidden",
] as const)("When somebody gave a reason or a note with %s, then the email quotes it", (kind) => {
  const doc = aNotificationDoc({ kind, asClient: false, amount: 40, text: "As agreed by phone" });
  const { subject, text } = composeMail(doc, reader, LINKS);
  expect(text).toContain("“As agreed by phone”");
  expect(subject).not.toContain("As agreed");
});
