import type { MongoClient } from "mongodb";

/** The connections of a client, over all servers it talks to. */
export type PoolStats = {
  /** Connections that are open. */
  open: number;
  /** Those that an operation holds. */
  inUse: number;
  /** Operations that wait for a connection. */
  waiting: number;
  /** How often an operation got none in time, since the start. */
  failures: number;
};

/** Counts along with the driver's events of connection monitoring and pooling. Call it before the client connects. */
export function poolStats(client: MongoClient): () => PoolStats {
  const stats: PoolStats = { open: 0, inUse: 0, waiting: 0, failures: 0 };
  client.on("connectionCreated", () => void stats.open++);
  client.on("connectionClosed", () => void stats.open--);
  client.on("connectionCheckOutStarted", () => void stats.waiting++);
  client.on("connectionCheckedOut", () => {
    stats.waiting--;
    stats.inUse++;
  });
  client.on("connectionCheckOutFailed", () => {
    stats.waiting--;
    stats.failures++;
  });
  client.on("connectionCheckedIn", () => void stats.inUse--);
  return () => ({ ...stats });
}
