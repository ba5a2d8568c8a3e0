import { formatDate, type Task } from "../../contract/index.ts";
import { USD } from "../../domain/format.ts";
import { BRAND, escapeXml, XML_HEAD } from "../../http/site.ts";

type Feed = {
  /** Public origin of the web app. */
  origin: string;
  /** The query string of the request, without its question mark. */
  search: string;
  tasks: readonly Task[];
};

const SUMMARY_LENGTH = 500;

/** A list of tasks as an Atom feed (RFC 4287). */
export function atomFeed({ origin, search, tasks }: Feed): string {
  const query = search && `?${search}`;
  const newest = tasks.map(changedAt).sort().at(-1) ?? new Date(0).toISOString();
  return [
    `${XML_HEAD}<feed xmlns="http://www.w3.org/2005/Atom">`,
    `<id>${escapeXml(`${origin}/tasks.atom${query}`)}</id>`,
    `<title>${BRAND} tasks</title>`,
    `<updated>${newest}</updated>`,
    `<link rel="self" type="application/atom+xml" href="${escapeXml(`${origin}/tasks.atom${query}`)}"/>`,
    `<link rel="alternate" type="text/html" href="${escapeXml(`${origin}/browsetask${browseQuery(search)}`)}"/>`,
    ...tasks.map((task) => entryOf(task, origin)),
    "</feed>\n",
  ].join("\n");
}

const changedAt = ({ createdAt, editedAt = createdAt }: Task) => editedAt;

function entryOf(task: Task, origin: string): string {
  const address = escapeXml(`${origin}/taskdetails/${task._id}`);
  const facts = `${task.category}, ${USD.format(task.budget)} fixed price, until ${formatDate(task.deadline)}.`;
  const { description } = task;
  // Cut by characters, not by UTF-16 units, which would break an emoji.
  const start = [...description].slice(0, SUMMARY_LENGTH).join("");
  const text = start.length < description.length ? `${start}…` : description;
  return [
    `<entry><id>${address}</id><title>${escapeXml(task.title)}</title>`,
    `<link href="${address}"/>`,
    `<published>${task.createdAt}</published><updated>${changedAt(task)}</updated>`,
    `<author><name>${escapeXml(task.name)}</name></author>`,
    `<category term="${escapeXml(task.category)}"/>`,
    `<summary>${escapeXml(`${facts}\n${text}`)}</summary></entry>`,
  ].join("");
}

// Without a `state` the page lists open tasks, but the API lists all.
function browseQuery(search: string): string {
  const query = new URLSearchParams(search);
  if (query.get("state") === "open") query.delete("state");
  else query.set("state", "all");
  return query.size > 0 ? `?${query}` : "";
}
