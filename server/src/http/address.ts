/** The parts of an address as the router reads them: the first "?" begins the query, which may hold more; "#" ends it. */
export function splitAddress(address: string): { path: string; query: string } {
  const [sent = ""] = address.split("#", 1);
  const mark = sent.indexOf("?");
  return mark < 0 ? { path: sent, query: "" } : { path: sent.slice(0, mark), query: sent.slice(mark + 1) };
}
