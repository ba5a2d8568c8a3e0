/**
 * Remembers which emails were sent until that is written down. Where the database is away at that moment, they are written
 * down before anything else is sent: otherwise they would be taken for those of a dead sender, and sent again.
 */
export function unrecorded() {
  const waiting: (() => Promise<void>)[] = [];
  async function record(): Promise<void> {
    for (let [write] = waiting; write; [write] = waiting) {
      await write();
      waiting.shift();
    }
  }
  return {
    /** Writes down what is left. @throws if that is still not possible. */
    record,
    /** An email was sent. @throws if it cannot be written down now. */
    add(write: () => Promise<void>): Promise<void> {
      waiting.push(write);
      return record();
    },
  };
}
