import { stringify } from "csv-stringify/sync";

/** Header and value of each column, in order. */
export type Columns<Row> = readonly (readonly [
  header: string,
  value: (row: Row) => string | number | undefined,
])[];

// Quoted wherever it stands, alone too: readers differ in what ends a line.
const LINE_BREAK = /[\r\n]/;
/** Excel takes a file without it for one in the local code page. */
const BYTE_ORDER_MARK = "\uFEFF";

/**
 * Writes rows as CSV (RFC 4180: commas, CRLF, quotes doubled), in UTF-8 with a byte order mark.
 * Texts that a spreadsheet would run as a formula (they begin with = + - @, tab or CR) get a leading apostrophe: titles
 * and names are written by strangers.
 */
export async function* csvOf<Row>(
  columns: Columns<Row>,
  groups: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + linesOf([columns.map(([header]) => header)]);
  for await (const group of groups) yield linesOf(group.map((row) => columns.map(([, value]) => value(row))));
}

function linesOf(records: (string | number | undefined)[][]): string {
  return stringify(records, { record_delimiter: "windows", quoted_match: LINE_BREAK, escape_formulas: true });
}
