import { setTimeout as sleep } from "node:timers/promises";
import { type Document, MongoClient, MongoServerError } from "mongodb";

const DEADLINE_MS = 30_000;

/** The name every replica set of ours goes by. */
export const REPLICA_SET = "tasklane";

/** One direct connection for administration; does not ask who is primary. */
function adminClient(port: number): MongoClient {
  return new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: 5000,
    connectTimeoutMS: 5000,
  });
}

/**
 * Makes the server the primary of a one-member set at this port: initiates a new set, or, where the stored
 * configuration names another port, rewrites it by force (there is no other member to ask).
 */
export async function becomePrimary(port: number): Promise<void> {
  const client = adminClient(port);
  try {
    const admin = client.db("admin");
    const host = `127.0.0.1:${port}`;
    // There is nobody to wait for: the default of 10 s would be spent after every change of the port.
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
  } finally {
    await client.close();
  }
}

// Read from the local database: replSetGetConfig refuses while the node is not a member of its own set.
function storedConfig(client: MongoClient): Promise<Document | null> {
  return client.db("local").collection("system.replset").findOne();
}

// Just after the start the node is still reading its stored configuration, and says so.
async function reconfigure(client: MongoClient, config: Document): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS;
  for (;;) {
    try {
      await client.db("admin").command({ replSetReconfig: config, force: true });
      return;
    } catch (error) {
      const reading = error instanceof MongoServerError && error.codeName === "NotYetInitialized";
      if (!reading || Date.now() > deadline) throw error;
    }
    await sleep(50);
  }
}

async function waitForPrimary(client: MongoClient): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS;
  while (Date.now() < deadline) {
    const hello = await client.db("admin").command({ hello: 1 });
    if (hello["isWritablePrimary"]) return;
    await sleep(50);
  }
  throw new Error("MongoDB started, but did not become primary within 30 s.");
}
