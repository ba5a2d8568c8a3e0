import { type Document, MongoClient, MongoServerError } from "mongodb";
import { waitUntil } from "../../lib/wait-until.ts";

const DEADLINE_MS = 30_000;

/** The name of all our replica sets. */
export const REPLICA_SET = "tasklane";

/**
 * Makes the server the primary of a one-member set at this port: initiates the set or, if its stored configuration has
 * another port, forces a new configuration.
 */
export async function becomePrimary(port: number): Promise<void> {
  // A direct connection needs no primary.
  await using client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`);
  const admin = client.db("admin");
  const host = `127.0.0.1:${port}`;
  // There is no other member to wait for: the default timeout would cost 10 s after every change of port.
  const settings = { electionTimeoutMillis: 1000 };
  const config = await storedConfig(client);
  if (!config) {
    await admin.command({ replSetInitiate: { _id: REPLICA_SET, members: [{ _id: 0, host }], settings } });
  } else if (config["members"]?.[0]?.host !== host || config["members"].length !== 1) {
    const fresh = {
      ...config,
      version: config["version"] + 1,
      members: [{ _id: 0, host }],
      settings: { ...config["settings"], ...settings },
    };
    await reconfigure(client, fresh);
  }
  await waitForPrimary(client);
}

// Read from the local database, because replSetGetConfig fails while the node is not a member of its own set.
function storedConfig(client: MongoClient): Promise<Document | null> {
  return client.db("local").collection("system.replset").findOne();
}

// Right after its start the node is still reading its stored configuration and answers NotYetInitialized.
async function reconfigure(client: MongoClient, config: Document): Promise<void> {
  const accepted = () =>
    client
      .db("admin")
      .command({ replSetReconfig: config, force: true })
      .then(
        () => true,
        (error: unknown) => {
          if (error instanceof MongoServerError && error.codeName === "NotYetInitialized") return false;
          throw error;
        },
      );
  if (!(await waitUntil(accepted, { timeoutMs: DEADLINE_MS, everyMs: 50 })))
    throw new Error("MongoDB did not take its new configuration within 30 s.");
}

async function waitForPrimary(client: MongoClient): Promise<void> {
  const isPrimary = async () =>
    (await client.db("admin").command({ hello: 1 }))["isWritablePrimary"] === true;
  if (!(await waitUntil(isPrimary, { timeoutMs: DEADLINE_MS, everyMs: 50 })))
    throw new Error("MongoDB started, but did not become primary within 30 s.");
}
