import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** A part of a document, in the order in which they are shown. */
export type PdfPart =
  | { heading: string }
  | { text: string }
  /** Names and values, a line each. */
  | { facts: readonly (readonly [name: string, value: string])[] };

const MARGIN = 56;
const SIZES = { title: 18, heading: 12, text: 10 } as const;

/** The fonts' folder: beside the built server (vite.config.ts), else in the package. */
function fontFolder(): string {
  const built = join(import.meta.dirname, "fonts");
  const require = createRequire(import.meta.url);
  return existsSync(built) ? built : join(dirname(require.resolve("dejavu-fonts-ttf/package.json")), "ttf");
}

/**
 * A document on A4 pages, with page numbers. Its font has Latin, Greek, Cyrillic, Hebrew, Arabic and a few other scripts;
 * letters of others are shown as boxes, and words that are read from right to left stand in the order of the others.
 */
export async function pdfOf(title: string, parts: readonly PdfPart[], now: Date): Promise<Buffer> {
  // Not at the start, of which its tables of letters would take a sixth.
  const { default: PDFDocument } = await import("pdfkit");
  const folder = fontFolder();
  const [regular, bold] = ["DejaVuSans.ttf", "DejaVuSans-Bold.ttf"].map((file) => join(folder, file));
  const document = new PDFDocument({
    size: "A4",
    margin: MARGIN,
    bufferPages: true,
    font: regular as string,
    info: { Title: title, CreationDate: now, ModDate: now },
  });
  const done = collect(document);
  const bolded = (size: number) => document.font(bold as string).fontSize(size);
  const plain = () => document.font(regular as string).fontSize(SIZES.text);
  bolded(SIZES.title).text(title).moveDown();
  for (const part of parts) {
    if ("heading" in part) bolded(SIZES.heading).moveDown(0.5).text(part.heading).moveDown(0.3);
    else if ("text" in part)
      plain()
        .text(breakable(printable(part.text)), { lineGap: 2 })
        .moveDown(0.5);
    else {
      for (const [name, value] of part.facts)
        plain().text(`${name}: `, { continued: true }).text(printable(value), { lineGap: 2 });
      document.moveDown(0.5);
    }
  }
  const { count } = document.bufferedPageRange();
  for (let page = 0; page < count; page++) {
    document.switchToPage(page);
    // The number stands in the margin, where text would otherwise begin another page.
    document.page.margins.bottom = 0;
    plain().text(`${page + 1} of ${count}`, MARGIN, document.page.height - MARGIN / 1.5, { align: "right" });
  }
  document.end();
  return done;
}

/** Without what would be shown as a box. */
const printable = (text: string) => text.replaceAll("\r", "").replaceAll("\t", "    ");

/** Lets words that are longer than a line break: pdfkit takes quadratic time for them otherwise. */
const breakable = (text: string) => text.replace(/\S{70}/gu, "$&\u200B");

async function collect(document: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of document) parts.push(part);
  return Buffer.concat(parts);
}
