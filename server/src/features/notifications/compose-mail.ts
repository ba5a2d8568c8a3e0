import type { NotificationDoc } from "../../db/collections.ts";
import type { Reader } from "./mail-store.ts";
import type { Mail } from "./smtp-mailer.ts";

/** Where the links of an e-mail lead. */
export type MailLinks = {
  /** Origin of the web app. */
  webUrl: string;
  /** The address that ends a person's e-mails. */
  unsubscribeUrl: (person: string, key: string) => string;
};

/** One notification as a plain e-mail, with a way to have no more of them (RFC 8058). */
export function composeMail(notification: NotificationDoc, reader: Reader, links: MailLinks): Mail {
  const text = sentence(notification);
  const unsubscribe = links.unsubscribeUrl(reader._id, reader.unsubscribeKey);
  return {
    id: notification._id.toHexString(),
    to: { name: oneLine(reader.name), address: reader.email },
    subject: text,
    text: [
      `Hello ${oneLine(reader.name)},`,
      `${text}.`,
      `${links.webUrl}${pathTo(notification)}`,
      `You get this e-mail because you asked for notifications by e-mail. To get no more of them:\n${unsubscribe}`,
    ].join("\n\n"),
    headers: {
      "List-Unsubscribe": `<${unsubscribe}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      // Nobody's "out of office" is to answer.
      "Auto-Submitted": "auto-generated",
    },
  };
}

function sentence({ kind, asClient, taskTitle, actor, amount }: NotificationDoc): string {
  const title = `“${oneLine(taskTitle)}”`;
  const who = oneLine(actor ?? "Somebody");
  const bid = amount === undefined ? "bid" : `bid of ${USD.format(amount)}`;
  switch (kind) {
    case "new-bid":
      return `New ${bid} from ${who} on ${title}`;
    case "bid-changed":
      return `${who} changed their bid on ${title}`;
    case "bid-withdrawn":
      return `${who} withdrew their bid on ${title}`;
    case "shortlisted":
      return `Your bid on ${title} was shortlisted`;
    case "awarded":
      return `You were hired for ${title}`;
    case "declined":
      return `Your bid on ${title} was not chosen`;
    case "task-changed":
      return `The task ${title} was changed`;
    case "task-cancelled":
      return `The task ${title} was cancelled`;
    case "task-reopened":
      return `The task ${title} is open again`;
    case "task-completed":
      return `The task ${title} is completed`;
    case "task-deleted":
      return `The task ${title} was deleted`;
    case "task-hidden":
      return `Your task ${title} was hidden by an operator`;
    case "task-restored":
      return `Your task ${title} is visible again`;
    case "deadline-near":
      return `The deadline of ${asClient ? "your task" : "the task"} ${title} is near`;
    case "review":
      return `${who} reviewed you for ${title}`;
  }
}

const USD = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });

function pathTo({ kind, taskId }: NotificationDoc): string {
  // Nothing is left at the task's own address.
  return kind === "task-deleted" ? "/dash/mybids" : `/taskdetails/${taskId.toHexString()}`;
}

// Names and titles are single lines since they were written; a mail does not rely on it.
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
}
