/**
 * The lines of a UTF-8 stream, split at "\n" and nowhere else. Not `readline`: from Node 24 on it also ends a line at
 * U+2028 and U+2029, which JSON may hold unescaped.
 */
export async function* lines(input: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let rest = "";
  for await (const chunk of input) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = parts.pop() ?? "";
    yield* parts;
  }
  rest += decoder.decode();
  if (rest !== "") yield rest;
}
