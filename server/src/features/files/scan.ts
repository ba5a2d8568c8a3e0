import { connect } from "node:net";
import { text } from "node:stream/consumers";

const CHUNK = 65_536;
const TIMEOUT_MS = 30_000;

/**
 * Has ClamAV's `clamd` check content (`INSTREAM`: chunks, each after its length in four bytes, and a length of zero at
 * the end; see clamd(8)).
 * @param url `tcp://host:port`.
 * @returns the name of what was found, undefined if nothing was.
 * @throws if the scanner does not say whether it is clean, so that the check is tried again.
 */
export async function scan(url: string, content: Buffer): Promise<string | undefined> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), timeout: TIMEOUT_MS });
  socket.on("timeout", () => socket.destroy(new Error("the virus scanner does not answer")));
  const answer = text(socket);
  socket.write("zINSTREAM\0");
  for (let at = 0; at < content.length; at += CHUNK) {
    const chunk = content.subarray(at, at + CHUNK);
    socket.write(lengthOf(chunk.length));
    socket.write(chunk);
  }
  socket.write(lengthOf(0));
  const [, found, isFound] = /^stream: (?:OK|(.+?) (FOUND))\0$/.exec(await answer) ?? [];
  if (isFound) return found;
  if ((await answer) === "stream: OK\0") return undefined;
  throw new Error(`the virus scanner answered ${JSON.stringify((await answer).slice(0, 100))}`);
}

function lengthOf(bytes: number): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes);
  return length;
}
