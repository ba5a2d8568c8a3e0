import type { CommandStartedEvent as Sent } from "mongodb";
import { openDatabase } from "../src/db/client.ts";
import type { Harness } from "./harness.ts";

/**
 * The database of an instance that can be killed again and again: after so many commands, no more of it arrive.
 * @param isCounted which commands count.
 */
export async function openDyingDatabase(
  { address, database: living }: Harness,
  isCounted = (_: Sent) => true,
) {
  let commands: Sent[] = [];
  let left = Infinity;
  let isDead = false;
  const database = await openDatabase(address, {
    onCommand(sent) {
      if (sent.commandName === "endSessions") return;
      const counts = isCounted(sent);
      isDead ||= counts && left === 0;
      // Thrown before the driver sends it.
      if (isDead) throw new Error("the instance is dead");
      if (counts) left -= 1;
      commands.push(sent);
    },
  });
  return {
    database,
    /** Lives until it has sent so many commands that count. */
    revive(after = Infinity): void {
      commands = [];
      left = after;
      isDead = false;
    },
    /** Dies. @returns the commands that it sent, and whether it had died before. */
    async kill(): Promise<{ commands: Sent[]; hadDied: boolean }> {
      const hadDied = isDead;
      isDead = true;
      const sessions = commands.flatMap(({ command: { lsid } }) => lsid ?? []);
      // As the database does by itself after a minute.
      if (sessions.length > 0) await living.db.admin().command({ killSessions: sessions });
      return { commands, hadDied };
    },
  };
}

const WRITING = /^(insert|update|delete|findAndModify|bulkWrite)$/;

/**
 * Whether a command stores something. As nothing else happens in between, an instance that dies before any command leaves
 * what one leaves that dies before the next of these.
 */
export const isStoring = ({ commandName, command }: Sent): boolean =>
  commandName === "commitTransaction" || (WRITING.test(commandName) && command["autocommit"] !== false);
