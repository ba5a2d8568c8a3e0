import { expect, test } from "vitest";
import { lines } from "./lines.ts";

async function linesOf(...chunks: Uint8Array[]): Promise<string[]> {
  async function* input() {
    yield* chunks;
  }
  const found: string[] = [];
  for await (const line of lines(input())) found.push(line);
  return found;
}

test("When a text contains Unicode's other line breaks, then only a line feed ends a line", async () => {
  const documents = ["a\u2028b", "c\u2029d", "e\u0085f", "g\rh", "i\r", "j\u000Bk\u000Cl"];
  expect(await linesOf(Buffer.from(documents.map((text) => `${text}\n`).join("")))).toEqual(documents);
});

test("When chunks end inside a character or a line, or the last line feed is missing, then nothing is lost", async () => {
  const bytes = Buffer.from("Zeilen\u2028Umbruch\n😀 ünd\n\nend");
  const single = Array.from(bytes, (byte) => Uint8Array.of(byte));
  expect(await linesOf(...single)).toEqual(["Zeilen\u2028Umbruch", "😀 ünd", "", "end"]);
});

test("When the input is empty, then there are no lines", async () => {
  expect(await linesOf()).toEqual([]);
});
