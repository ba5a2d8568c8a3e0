import { MongoClient } from "mongodb";
import { CATEGORIES, EMPTY_PROFILE, FIRST_TASKS } from "../../src/contract/index.ts";
import { collectionsOf } from "../../src/db/collections.ts";
import { migrate } from "../../src/db/migrate.ts";
import { halfStars } from "../../src/domain/people.ts";
import { searchKeysOf } from "../../src/domain/text-search.ts";
import {
  aBidDoc,
  aConversationDoc,
  aFileDoc,
  anAgreementDoc,
  anAwardOf,
  aPersonDoc,
  aTaskDoc,
  inDays,
} from "../../test/builders.ts";
import { manyTasks } from "../../test/many-tasks.ts";
import { seededRandom } from "../lib/random.ts";

/** What requests refer to. */
export type Sample = {
  tasks: string[];
  open: string[];
  /** Their ids are their tokens. */
  people: string[];
  /** Each person's conversation as a client, and the task that they hired somebody for, in the order of `people`. */
  conversations: string[];
  hired: string[];
  /** Each person's files that hang nowhere. */
  files: string[][];
};

/** Searches: a few titles, skills, descriptions or names match, or none, although both words are frequent. */
export const SEARCHES = {
  rare: "zeppelin",
  absent: "logo bakery",
  skill: "heraldry",
  described: "theodolite",
  /** Each is in one description in twenty or so. */
  words: "vineba fiviba",
  name: "quillfeather",
} as const;

const PEOPLE = 200;
/** As many as the directory searches. */
const LISTED = 20_000;
const FILES = 60;
const SKILLS = ["Logo design", "React", "Copywriting", "SEO", "Illustration"];
const BATCH = 5_000;
const RARE = 5;
/** Words of a description. */
const DESCRIBED = 60;
const SAMPLED = 20_000;
// Durability does not matter: the data can be filled in again.
const FAST = { ordered: false, writeConcern: { w: 1, journal: false } } as const;

/** Fills an empty database with that many tasks, with people who have posted before, and with their conversations. */
export async function fill(uri: string, count: number, progress: (text: string) => void): Promise<Sample> {
  await using client = await MongoClient.connect(uri);
  const database = collectionsOf(client.db());
  const sampled: { id: string; isOpen: boolean }[] = [];
  const roll = seededRandom(5);
  for (let stored = 0; stored < count; stored += BATCH) {
    // Without bids, so that no job has to process expired tasks first.
    const batch = manyTasks(Math.min(BATCH, count - stored), stored + 1).map((task, index) => {
      const isRare = stored === 0 && index < RARE;
      const title = isRare ? `${task.title}, ${SEARCHES.rare} hangar` : task.title;
      const skills = isRare ? [SEARCHES.skill] : skillsOf(index);
      const owner = (stored + index) % LISTED;
      const description = `${descriptionOf(roll)}${isRare ? ` ${SEARCHES.described}` : ""}`;
      const texts = { title, description, skills };
      return {
        ...{ ...task, ownerId: `listed-${owner}`, ...texts, searchKeys: searchKeysOf(texts) },
        ...{ bidsCount: 0, clientRating: halfStars(ratingOf(owner)) },
      };
    });
    await database.tasks.insertMany(batch, FAST);
    const share = Math.ceil((batch.length * SAMPLED) / Math.max(count, SAMPLED));
    for (const { _id, deadline } of batch.slice(0, share))
      sampled.push({ id: _id.toHexString(), isOpen: deadline > inDays(0) });
    if ((stored / BATCH) % 10 === 0) progress(`storing ${count} tasks`);
  }
  const people = Array.from({ length: PEOPLE }, (_, index) => `person-${index}`);
  const hired = people.map((ownerId, index) => {
    const task = aTaskDoc({ ownerId, bidsCount: 1, state: "awarded" });
    const bid = aBidDoc({ taskId: task._id, bidderId: people[(index + 1) % PEOPLE] as string });
    const talk = aConversationDoc({ taskId: task._id, clientId: ownerId, freelancerId: bid.bidderId });
    const sides = { clientId: ownerId, freelancerId: bid.bidderId };
    const agreement = anAgreementDoc({ taskId: task._id, ...sides, description: task.description });
    return { task: { ...task, award: anAwardOf(bid), awardCount: 1 }, bid, talk, agreement };
  });
  await database.tasks.insertMany(hired.map(({ task }) => task));
  await database.bids.insertMany(hired.map(({ bid }) => bid));
  await database.conversations.insertMany(hired.map(({ talk }) => talk));
  await database.agreements.insertMany(hired.map(({ agreement }) => agreement));
  const files = people.map((uid) => Array.from({ length: FILES }, () => aFileDoc({ uid })));
  await database.files.insertMany(files.flat(), FAST);
  progress(`storing ${LISTED} people with a profile`);
  await database.people.insertMany(Array.from({ length: LISTED }, aListedPerson), FAST);
  // The first tasks of a client would go to the operators' queue.
  await database.tasks.insertMany(
    people.flatMap((ownerId) => Array.from({ length: FIRST_TASKS }, () => aTaskDoc({ ownerId }))),
  );
  progress("building the indexes");
  await migrate({ uri, dbName: client.db().databaseName });
  // So that nothing is flushed to disk during the measurement.
  await client.db("admin").command({ fsync: 1 });
  return {
    tasks: sampled.map(({ id }) => id),
    open: sampled.filter(({ isOpen }) => isOpen).map(({ id }) => id),
    people,
    conversations: hired.map(({ talk }) => talk._id.toHexString()),
    hired: hired.map(({ task }) => task._id.toHexString()),
    files: files.map((own) => own.map(({ _id }) => _id.toHexString())),
  };
}

/** The description of a task: some of 4,096 words, the first ones more often, as in a language. */
function descriptionOf(roll: () => number): string {
  const syllables = "ba ke lo mi su ta ne ro vi gu pa de zo fi hu wa".split(" ");
  const word = (at: number) => [at % 16, (at >> 4) % 16, at >> 8].map((place) => syllables[place]).join("");
  return Array.from({ length: DESCRIBED }, () => word(Math.floor(roll() ** 3 * 4_096))).join(" ");
}

const skillsOf = (index: number) => SKILLS.slice(index % SKILLS.length).slice(0, 3);

const ratingOf = (index: number) =>
  index % 4 === 0 ? { average: 3 + (index % 9) / 4, count: 4 } : undefined;

/** The first ones, which a search finds last, have a rare name and skill. One in four has completed jobs. */
function aListedPerson(_: unknown, index: number) {
  const isRare = index < RARE;
  const category = index % 4 === 0 ? CATEGORIES[(index / 4) % CATEGORIES.length] : undefined;
  const from = 50 + (index % 97) * 10;
  return aPersonDoc({
    _id: `listed-${index}`,
    name: isRare ? `Ada ${SEARCHES.name}` : `Person ${index}`,
    lastActiveOn: inDays(isRare ? -400 : -(index % 300)),
    profile: {
      ...EMPTY_PROFILE,
      version: 1,
      skills: isRare ? [SEARCHES.skill] : skillsOf(index),
    },
    ...(category && {
      rating: ratingOf(index),
      jobs: { count: 4, categories: [category], from, to: from + 100 },
    }),
  });
}
