import { type DemoName, demoAccounts } from "../dev/demo-data/people.ts";
import { aTaskDraft } from "../test/builders.ts";
import type { SignedIn } from "./page-snapshot.ts";
import { type Api, apiAs, apiWith } from "./people.ts";
import type { Random } from "./texts.ts";

type Listed = { _id: string; state: string; screeningQuestion?: string };

const CLIENTS: readonly DemoName[] = ["amara", "jonas", "priya"];
const FREELANCERS = demoAccounts.filter(({ key, isOperator }) => !isOperator && !CLIENTS.includes(key));

/**
 * Does something as another person that the monkey's person may be notified of: a bid, a question, a message, a new task, or
 * a report for the operators. @returns a short description; null if nothing was possible.
 */
export async function actAsSomeoneElse(
  origin: string,
  me: SignedIn | null,
  random: Random,
): Promise<string | null> {
  const { pick } = random;
  const mine = me ? apiWith(origin, me.token) : undefined;
  const kinds = [postTask, ...(me && mine ? [bidOnMine, askOnMine, writeToMe, report, decideOnMine] : [])];
  return pick(kinds)(origin, me as SignedIn, mine as Api, random);
}

type OtherAct = (origin: string, me: SignedIn, mine: Api, random: Random) => Promise<string | null>;

const postTask: OtherAct = async (origin, _me, _mine, { pick }) => {
  const client = await apiAs(origin, pick(CLIENTS));
  const title = pick([
    "Logo for a tea shop",
    "Website of a choir",
    "Translate a leaflet",
    "Newsletter in spring",
  ]);
  return outcome("someone posts a task", await client("POST", "/tasks", aTaskDraft({ title })));
};

const bidOnMine: OtherAct = async (origin, me, mine, { pick }) => {
  const task = pick((await list(mine, `/tasks?email=${encodeURIComponent(me.email)}`)).filter(isOpen));
  const { key, uid } = pick(FREELANCERS);
  if (!task || uid === me.uid) return null;
  const freelancer = await apiAs(origin, key);
  const offer = {
    amount: 90,
    days: 4,
    message: `I can begin ${key}.`,
    ...(task.screeningQuestion && { answer: "Yes." }),
  };
  return outcome("someone bids on my task", await freelancer("PATCH", `/tasks/${task._id}/bid`, offer));
};

const askOnMine: OtherAct = async (origin, me, mine, { pick }) => {
  const task = pick((await list(mine, `/tasks?email=${encodeURIComponent(me.email)}`)).filter(isOpen));
  const { key, uid } = pick(FREELANCERS);
  if (!task || uid === me.uid) return null;
  const freelancer = await apiAs(origin, key);
  const question = { text: "Is there a style guide?" };
  return outcome(
    "someone asks about my task",
    await freelancer("POST", `/tasks/${task._id}/questions`, question),
  );
};

const writeToMe: OtherAct = async (origin, _me, mine, { pick }) => {
  const conversations = (await list(mine, "/me/conversations")) as unknown as {
    _id: string;
    other: { id?: string };
  }[];
  const conversation = pick(conversations);
  const other = demoAccounts.find(({ uid }) => uid === conversation?.other.id);
  if (!conversation || !other) return null;
  const writer = await apiAs(origin, other.key);
  const path = `/me/conversations/${conversation._id}/messages`;
  return outcome("someone writes to me", await writer("POST", path, { text: "Any news?" }));
};

/** The client of one of my bids shortlists it, or takes it off the shortlist. */
const decideOnMine: OtherAct = async (origin, me, mine, { pick }) => {
  const bids = (await list(mine, "/me/bids?limit=50")) as unknown as {
    _id: string;
    state: string;
    task: { _id: string; clientId: string; state: string };
  }[];
  const bid = pick(bids.filter(({ state, task }) => state !== "awarded" && task.state === "open"));
  const client = demoAccounts.find(({ uid }) => uid === bid?.task.clientId);
  if (!bid || !client || client.uid === me.uid) return null;
  const decided = bid.state === "shortlisted" ? "placed" : "shortlisted";
  const path = `/tasks/${bid.task._id}/bids/${bid._id}`;
  return outcome(
    "the client decides on my bid",
    await (await apiAs(origin, client.key))("PATCH", path, { state: decided }),
  );
};

const report: OtherAct = async (origin, me, _mine, { pick }) => {
  const { key, uid } = pick(FREELANCERS);
  const reporter = await apiAs(origin, key);
  const task = pick((await list(reporter, "/tasks?state=open&limit=20")).filter(isOpen));
  if (!task || uid === me.uid) return null;
  return outcome(
    "someone reports a task",
    await reporter("POST", "/reports", { taskId: task._id, reason: "spam" }),
  );
};

const isOpen = ({ state }: Listed) => state === "open";

async function list(api: Api, path: string): Promise<Listed[]> {
  const response = await api("GET", path);
  return response.ok ? ((await response.json()) as Listed[]) : [];
}

const outcome = (what: string, { ok, status }: Response) => (ok ? what : `${what}, refused with ${status}`);
