import { expect, test } from "vitest";
import { lines } from "./lines.ts";

test("When chunks end inside a character or a line, or the last line feed is missing, then nothing is lost", async () => {
  async function* input() {
    for (const byte of Buffer.from("Zeilen\u2028Umbruch\n😀 ünd\n\nend")) yield Uint8Array.of(byte);
  }
  const found: string[] = [];
  for await (const line of lines(input())) found.push(line);
  expect(found).toEqual(["Zeilen\u2028Umbruch", "😀 ünd", "", "end"]);
});
