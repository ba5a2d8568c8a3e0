import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { instanceJobs, NO_JOBS, useHarness, useOperator, usePeople } from "../../../test/index.ts";
import { send } from "../../../test/send-file.ts";
import { serveUploads } from "../../../test/uploads.ts";
import { eventJobs } from "../../jobs.ts";
import { scan } from "./scan.ts";

const harness = useHarness();
const [person] = usePeople("Ida Infected");
const operator = useOperator(harness);

/** Answers as `clamd` does: it finds "EVIL" in content that was framed correctly. */
function clamd(
  answer = (content: Buffer): string => (content.includes("EVIL") ? "Evil.Test FOUND" : "OK"),
): Promise<string> {
  const server = createServer((socket) => {
    let received = Buffer.alloc(0);
    socket.on("data", (chunk) => {
      received = Buffer.concat([received, chunk]);
      const [content, at = 0] = framed(received);
      if (content) socket.end(`stream: ${answer(content)}\0`);
      expect(at).toBeGreaterThan(0);
    });
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  return new Promise((resolve) =>
    server.once("listening", () => resolve(`tcp://127.0.0.1:${(server.address() as AddressInfo).port}`)),
  );
}

/** The content of a whole `INSTREAM` command. */
function framed(received: Buffer): [content: Buffer | undefined, at: number] {
  const command = "zINSTREAM\0";
  expect(received.subarray(0, command.length).toString()).toBe(command);
  const chunks: Buffer[] = [];
  for (let at = command.length; at + 4 <= received.length; ) {
    const length = received.readUInt32BE(at);
    if (length === 0) return [Buffer.concat(chunks), at];
    chunks.push(received.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return [undefined, 1];
}

test("When content is scanned, then what is found in it is named, also at the end of a large file", async () => {
  const url = await clamd();
  expect(await scan(url, Buffer.alloc(300_000, "a"))).toBeUndefined();
  expect(await scan(url, Buffer.concat([Buffer.alloc(300_000, "a"), Buffer.from("EVIL")]))).toBe("Evil.Test");
});

test("When the scanner does not answer, or with an error, then the check fails, to be tried again", async () => {
  await expect(scan("tcp://127.0.0.1:1", Buffer.from("a"))).rejects.toThrow();
  const url = await clamd(() => "INSTREAM size limit exceeded. ERROR");
  await expect(scan(url, Buffer.from("a"))).rejects.toThrow("size limit exceeded");
});

test("When an upload is infected, then it is refused with what was found, and operators are told who sent it", async () => {
  const origin = await serveUploads(harness.instance({ jobs: NO_JOBS }));
  const [evil, clean] = [
    await send(origin, person, "evil.txt", Buffer.from("EVIL")),
    await send(origin, person, "clean.txt", Buffer.from("good")),
  ];
  const kinds = eventJobs({ database: harness.database, clamdUrl: await clamd() });
  await instanceJobs(harness, { kinds }).drain("file-check");
  const read = (id: string) => harness.read(`/files/${id}`, person);
  expect(await read(evil)).toMatchObject({ state: "refused", reason: "The virus scanner found Evil.Test." });
  const { state, file } = await read(clean);
  expect({ state, unscanned: file.unscanned }).toEqual({ state: "ready", unscanned: undefined });
  const body = await harness.read("/operators/queue", operator);
  expect(body).toMatchObject([
    { kind: "infected-file", note: "The virus scanner found Evil.Test.", person: { id: person.uid } },
  ]);
});

test("When the scanner is away, then an upload waits, and is checked when it is back", async () => {
  const id = await send(
    await serveUploads(harness.instance({ jobs: NO_JOBS })),
    person,
    "later.txt",
    Buffer.from("good"),
  );
  const check = (clamdUrl: string, at: Date) =>
    instanceJobs(harness, { at, kinds: eventJobs({ database: harness.database, clamdUrl }) }).drain(
      "file-check",
    );
  await check("tcp://127.0.0.1:1", harness.clock.now);
  const read = async () => (await harness.read(`/files/${id}`, person)).state;
  expect(await read()).toBe("checking");
  await check(await clamd(), harness.later(60_000));
  expect(await read()).toBe("ready");
});
