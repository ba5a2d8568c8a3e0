import { getDocument, VerbosityLevel } from "pdfjs-dist/legacy/build/pdf.mjs";

/** What a PDF says, on one line, and its number of pages. */
export async function readPdf(file: Buffer): Promise<{ text: string; pages: number }> {
  const data = new Uint8Array(file);
  const task = getDocument({ data, verbosity: VerbosityLevel.ERRORS, isEvalSupported: false });
  const document = await task.promise;
  const pages = Array.from({ length: document.numPages }, async (_, at) => {
    const { items } = await (await document.getPage(at + 1)).getTextContent();
    return items.map((item) => ("str" in item ? item.str : "")).join(" ");
  });
  const text = (await Promise.all(pages)).join(" ").replace(/\s+/g, " ");
  await task.destroy();
  return { text, pages: pages.length };
}
