import { type Person, signUp, verifyEmail } from "../../test/people.ts";
import type { Pair } from "./conversations/correspondence.ts";
import type { Instance } from "./instance.ts";
import { SEARCHES, saveSearch, type Watcher } from "./saved-search.ts";

/** How many people of each kind. */
export type CrowdSize = { clients: number; freelancers: number; talking: number; away: number };

/** Everybody who takes part. */
export type Crowd = {
  clients: Person[];
  freelancers: Person[];
  /** Both sides write to each other. */
  talking: Pair[];
  /** The client writes; the freelancer is mostly away. */
  away: Pair[];
  watchers: Watcher[];
  /** Everybody above who wants emails. */
  readers: Person[];
};

/** Signs them up one after another and saves the watchers' searches. */
export async function signUpCrowd(size: CrowdSize, instance: Instance): Promise<Crowd> {
  const readers: Person[] = [];
  const reader = async () => {
    const person = await wantEmails(instance, await verifyEmail(await signUp()));
    readers.push(person);
    return person;
  };
  const clients = await times(size.clients, signUp);
  const freelancers = await times(size.freelancers, signUp);
  const [outsider] = freelancers as [Person];
  const pair = async (): Promise<Pair> => ({ client: await reader(), freelancer: await reader(), outsider });
  const talking = await times(size.talking, pair);
  const away = await times(size.away, pair);
  const watchers = [
    { person: await signUp(), search: SEARCHES.all },
    { person: await reader(), search: SEARCHES.emailed },
  ];
  for (const watcher of watchers) await saveSearch(instance, watcher);
  return { clients, freelancers, talking, away, watchers, readers };
}

async function times<T>(count: number, make: () => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  while (made.length < count) made.push(await make());
  return made;
}

async function wantEmails({ url }: Instance, person: Person): Promise<Person> {
  const response = await fetch(`${url}/me`, {
    method: "PATCH",
    headers: { authorization: `Bearer ${person.token}`, "content-type": "application/json" },
    body: JSON.stringify({ emailNotices: true }),
  });
  if (!response.ok) throw new Error(`emails were not turned on: ${response.status} ${await response.text()}`);
  return person;
}
