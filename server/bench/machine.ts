import { cpus, totalmem } from "node:os";
import { MongoClient } from "mongodb";

/** One line about what the figures were measured on. */
export async function describeMachine(mongoUri: string): Promise<string> {
  const client = await MongoClient.connect(mongoUri);
  try {
    const { version, buildEnvironment } = await client.db("admin").command({ buildInfo: 1 });
    const underWine = process.platform !== "win32" && buildEnvironment?.target_os === "windows";
    const [cpu] = cpus();
    const gigabytes = Math.round(totalmem() / 2 ** 30);
    return (
      `${new Date().toISOString().slice(0, 10)}: ${cpus().length} cores (${cpu?.model.trim() ?? "?"}), ${gigabytes} GB, ` +
      `Node ${process.versions.node}, MongoDB ${version}${underWine ? " under Wine" : ""} as a replica set of one with a ` +
      "cache of 1 GB; load, servers and database share the machine."
    );
  } finally {
    await client.close();
  }
}
