import type { ObjectId } from "mongodb";
import {
  addressOf,
  DELIVERY_LIMITS,
  formatDate,
  REPORT_REASON_LABELS,
  type SentencePart,
  sentenceOf,
} from "../../contract/index.ts";
import type { NotificationDoc } from "../../db/documents/notifications.ts";
import { USD } from "../../domain/format.ts";
import type { NewTask, Reader } from "./mail-store.ts";
import type { Mail } from "./smtp-mailer.ts";

export type MailLinks = {
  webUrl: string;
  /** Unsubscribes a person from all notification emails. */
  unsubscribeUrl: (person: string, key: string) => string;
  /** Unsubscribes a person from the emails of one saved search, or of all. */
  searchUnsubscribeUrl: (person: string, key: string, search?: string) => string;
};

/**
 * Composes the email for one notification. Other people's titles and names in it are shortened and contain nothing that
 * a mail program would turn into a link.
 */
export function composeMail(notification: NotificationDoc, reader: Reader, links: MailLinks): Mail {
  return mailTo(reader, {
    id: notification._id.toHexString(),
    subject: wordsOf(notification, true),
    content: [wordsOf(notification), `${links.webUrl}${addressOf(notification, reader._id)}`],
    why: "You get this email because you asked for notifications by email. To unsubscribe:",
    unsubscribe: links.unsubscribeUrl(reader._id, reader.unsubscribeKey),
  });
}

/** Composes one email for a day's notifications. */
export function composeDaily(
  notifications: readonly NotificationDoc[],
  reader: Reader,
  links: MailLinks,
): Mail {
  return mailTo(reader, {
    id: `day-${notifications[0]?._id.toHexString()}`,
    subject: `${notifications.length} notifications of the last day`,
    content: notifications.map((each) => `${wordsOf(each)}\n${links.webUrl}${addressOf(each, reader._id)}`),
    why: "You get this email because you asked for notifications by email once a day. To unsubscribe:",
    unsubscribe: links.unsubscribeUrl(reader._id, reader.unsubscribeKey),
  });
}

const MAX_LISTED = 20;

/**
 * Composes one email for the new tasks that match somebody's saved searches.
 * @param id the first notification's, so that it is the same in every attempt.
 */
export function composeMatches(
  id: ObjectId,
  tasks: readonly NewTask[],
  reader: Reader,
  links: MailLinks,
): Mail {
  const count = tasks.length;
  const [{ title, search, searchId }] = tasks as [NewTask];
  const isOneSearch = tasks.every((task) => task.searchId === searchId);
  const whose = isOneSearch ? `search “${quoted(search, MAX_TITLE)}”` : "saved searches";
  const subject =
    count === 1
      ? `New task for your ${whose}: “${quoted(title, MAX_TITLE)}”`
      : `${count} new tasks for your ${whose}`;
  const listed = tasks.slice(0, MAX_LISTED);
  const searches = [...new Set(listed.map(({ search }) => search))];
  const { webUrl } = links;
  return mailTo(reader, {
    id: `searches-${id}`,
    subject,
    content: [
      `${count === 1 ? "This new task matches" : "These new tasks match"} your saved ${isOneSearch ? "search" : "searches"}:`,
      ...searches.map((search) =>
        [
          `“${quoted(search, MAX_TITLE)}”`,
          ...listed.filter((task) => task.search === search).map((task) => describe(task, webUrl)),
        ].join("\n\n"),
      ),
      ...(count > MAX_LISTED ? [`All of them are in your notifications:\n${webUrl}/dash/notifications`] : []),
      `Change, pause or delete your saved searches:\n${webUrl}/dash/searches`,
    ],
    why: `You get this email because of your ${whose}. To unsubscribe:`,
    unsubscribe: links.searchUnsubscribeUrl(
      reader._id,
      reader.unsubscribeKey,
      isOneSearch ? searchId : undefined,
    ),
  });
}

function describe({ _id, title, budget, deadline }: NewTask, webUrl: string): string {
  const until = formatDate(deadline);
  return `- ${quoted(title, MAX_TITLE)} (${USD.format(budget)}, until ${until})\n  ${webUrl}/taskdetails/${_id}`;
}

type MailParts = { id: string; subject: string; content: string[]; why: string; unsubscribe: string };

/** A plain-text email that can be unsubscribed from with one click (RFC 8058). */
function mailTo(reader: Reader, { id, subject, content, why, unsubscribe }: MailParts): Mail {
  const name = quoted(reader.name, MAX_NAME);
  return {
    id,
    to: { name, address: reader.email },
    subject,
    text: [`Hello ${name},`, ...content, `${why}\n${unsubscribe}`].join("\n\n"),
    headers: {
      "List-Unsubscribe": `<${unsubscribe}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      // Suppresses out-of-office replies.
      "Auto-Submitted": "auto-generated",
    },
  };
}

/** A notification in words; `first`: its first sentence without a full stop. */
function wordsOf(
  { taskTitle, actor, amount, reason, text, ...said }: NotificationDoc,
  first = false,
): string {
  const price = amount === undefined ? undefined : USD.format(amount);
  const words = text && `“${quoted(text, DELIVERY_LIMITS.reason)}”`;
  const quote = words && `: ${words}`;
  const parts: Record<SentencePart, string | undefined> = {
    actor: quoted(actor ?? "Somebody", MAX_NAME),
    task: `“${quoted(taskTitle, MAX_TITLE)}”`,
    price,
    newPrice: price && ` to ${price}`,
    search: said.search && `“${quoted(said.search, MAX_TITLE)}”`,
    milestone: text ? `“${quoted(text, MAX_TITLE)}”` : "a milestone",
    invoice: text?.replace(/^\w/, (letter) => letter.toLowerCase()) ?? "an invoice",
    quote: first ? undefined : quote,
    quoteOrEnd: first ? undefined : quote || ".",
    why: first
      ? undefined
      : `${reason ? `: ${REPORT_REASON_LABELS[reason]}` : ""}.${words ? ` ${words}` : ""}`,
  };
  const sentence = sentenceOf(said, parts, first).join("");
  return first ? sentence.replace(/\.$/, "") : sentence;
}

const MAX_TITLE = 80;
const MAX_NAME = 40;
// Control characters, line separators, and invisible or direction-changing characters, except those that join emoji.
const INVISIBLE = /(?:(?!\u200C|\u200D|\uFE0F)[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}])+/gu;
const ADDRESS = /(?:\b[a-z][a-z\d+.-]*:\/\/|\bwww\.)\S*/giu;
// Mail programs also turn bare domains into links, so "evil.example" becomes "evil example".
const DOMAIN_DOT = /(?<=[\p{L}\p{N}\p{M}])[.\u3002\uFF0E\uFF61](?=\p{L}{2})/gu;

/** Makes another person's text safe to quote in an email, on one line of at most `max` characters. */
function quoted(text: string, max: number): string {
  const plain = text.replace(INVISIBLE, " ").replace(ADDRESS, "[link]").replace(DOMAIN_DOT, " ");
  const words = plain.replace(/\s+/gu, " ").trim();
  const characters = [...words];
  return characters.length <= max
    ? words
    : `${characters
        .slice(0, max - 1)
        .join("")
        .trimEnd()}…`;
}
