import PDFDocument from "pdfkit";
import { expect, onTestFinished, test, vi } from "vitest";
import { readPdf } from "../../test/read-pdf.ts";
import { pdfOf } from "./pdf.ts";

const NOW = new Date("2026-03-10T12:00:00Z");

test("When a text has tabs and line ends of other systems, then nothing of it is shown as a box", async () => {
  const file = await pdfOf("Agreement", [{ text: "a\tb\r\nc" }, { facts: [["Address", "d\te"]] }], NOW);
  const { text } = await readPdf(file);
  expect(text).toMatch(/a\s+b\s+c.*d\s+e/);
  expect(text).not.toMatch(/[\0\r\t]/);
});

test("When a word is longer than a line, then all of it is there, and it is not measured over and over again", async () => {
  const word = "x".repeat(5_000);
  const measuring = vi.spyOn(PDFDocument.prototype, "widthOfString");
  onTestFinished(() => measuring.mockRestore());
  const file = await pdfOf("Agreement", [{ text: word }], NOW);
  const measured = measuring.mock.calls.reduce((sum, [text]) => sum + String(text).length, 0);
  expect(measured).toBeLessThan(5 * word.length);
  expect((await readPdf(file)).text.match(/x/g)).toHaveLength(word.length);
});
