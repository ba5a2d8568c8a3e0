import { ObjectId } from "mongodb";
import { expect, test } from "vitest";
import { aNotificationDoc, aPersonDoc } from "../../../test/builders.ts";
import { LINKS } from "../../../test/use-mail-server.ts";
import { addressOf, NOTIFICATION_KINDS } from "../../contract/index.ts";
import { composeMail } from "./compose-mail.ts";

const reader = { ...aPersonDoc({ _id: "ada" }), unsubscribeKey: "key" };

test.each(NOTIFICATION_KINDS)(
  "When a notification is %s, then its email says so for every reader, and links to the same page as the web app",
  (kind) => {
    for (const reading of [{}, { asClient: false }, { asClient: false, saved: true as const }]) {
      const doc = aNotificationDoc({ kind, ...reading });
      const { subject, text } = composeMail(doc, reader, LINKS);
      if (kind !== "task-hidden") expect(subject).toContain("“Build a booking page”");
      expect(subject).toMatch(/^[A-Z“]/);
      expect(text).toContain(`\n${LINKS.webUrl}${addressOf(doc, reader._id)}\n`);
      expect(subject + text).not.toMatch(/undefined|[{}]|\.\.| {2}/);
      expect(text).toContain(subject.replace(/\?$/, ""));
    }
  },
);

test.each([
  // Bidders, and the hired freelancer.
  ["task-changed", {}, "“Build a booking page” was changed."],
  // By its client, by both, or by an operator.
  ["task-cancelled", { saved: true }, "“Build a booking page”, which you saved, was cancelled."],
  // Not marked as paid, or reported missing.
  ["payment-due", {}, "Work on “Build a booking page” is accepted, and its payment is outstanding."],
  // The client did not respond in time, or has deleted their account.
  [
    "may-complete",
    {},
    "Your work on “Build a booking page” no longer waits for your client. You can mark it as completed now.",
  ],
  // What they wrote went with their account.
  ["milestone-accepted", {}, "Former member accepted a milestone of “Build a booking page”."],
] as const)(
  "When %s has several reasons or readers, then its words hold for all of them",
  (kind, more, words) => {
    const doc = aNotificationDoc({ kind, asClient: false, actor: "Former member", ...more });
    expect(composeMail(doc, reader, LINKS).text).toContain(`\n${words}\n`);
  },
);

test("When bids wait for a decision, then the email says when the task closes", () => {
  const { text } = composeMail(aNotificationDoc({ kind: "bids-undecided" }), reader, LINKS);
  expect(text).toContain("It closes 30 days after its deadline, at least 7 days after this reminder.");
});

test("When somebody wrote messages, then the email links to them", () => {
  const conversationId = new ObjectId();
  const doc = aNotificationDoc({ kind: "message", actor: "Clara", conversationId });
  const { subject, text } = composeMail(doc, reader, LINKS);
  expect(subject).toBe("Clara wrote to you about “Build a booking page”");
  expect(text).toContain(`${LINKS.webUrl}/dash/messages/${conversationId}`);
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

test("When an operator hid a task, then the email gives the reason and the operator's text without its links", () => {
  const why = { reason: "fraud", text: "See https://evil.example\nfirst." } as const;
  const { subject, text } = composeMail(aNotificationDoc({ kind: "task-hidden", ...why }), reader, LINKS);
  expect(subject).toBe("“Build a booking page” was hidden from the public by an operator");
  expect(text).toContain("by an operator: Fraud or a scam. “See [link] first.”");
});

const LONG_NAME = `${"x".repeat(60)}.evil.example`;
const SHORT_NAME = `${"x".repeat(39)}…`;
test.each([
  [
    "URGENT\u2028your account is locked https://evil.example/login?a=b",
    "URGENT your account is locked [link]",
  ],
  [
    "HTTPS://EVIL.EXAMPLE and www.evil.example/x or evil.example/login",
    "[link] and [link] or evil example/login",
  ],
  [
    "write to admin@evil.example, ftp://evil.example or evil。example",
    "write to admin@evil example, [link] or evil example",
  ],
  [`${"your account ".repeat(9)}is locked`, `${"your account ".repeat(9).slice(0, 79).trimEnd()}…`],
])(
  "When a title or a name is phishing bait like %j, then the email quotes only its beginning, on one line and without links",
  (taskTitle, quoted) => {
    const victim = { ...reader, name: "Ada www.ada.example" };
    const doc = aNotificationDoc({ taskTitle, actor: LONG_NAME, amount: 450.5 });
    const { subject, text } = composeMail(doc, victim, LINKS);
    expect(subject).toBe(`${SHORT_NAME} bid $450.50 on “${quoted}”`);
    expect(text).toContain("Hello Ada [link],");
    const others = text.replaceAll(/https:\/\/(?:tasklane|api)\.example\S*/g, "");
    expect(others).not.toMatch(/evil\.|https?:|www\./i);
  },
);

test("When a title or a name only looks like an address, then it is quoted as it is", () => {
  const looks = { taskTitle: "v1.5 of a $4.50 app, 👩‍👩‍👧 e.g. this", actor: "Ben J. Bo", amount: 450.5 };
  const { subject } = composeMail(aNotificationDoc(looks), reader, LINKS);
  expect(subject).toBe("Ben J. Bo bid $450.50 on “v1.5 of a $4.50 app, 👩‍👩‍👧 e.g. this”");
});
