import { isIPv6 } from "node:net";

/**
 * What stands for "one address": an IPv4 address, or the /64 network of an IPv6 one, because a single customer has all
 * of it and would else have as many addresses as they like.
 */
export function addressKey(ip: string | undefined): string {
  if (ip === undefined) return "unknown";
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (mapped !== undefined) return mapped;
  const bare = ip.split("%", 1)[0] ?? ip;
  if (!isIPv6(bare)) return bare;
  const [head = "", tail] = bare.toLowerCase().split("::", 2) as [string, string | undefined];
  const left = groupsOf(head);
  const right = tail === undefined ? [] : groupsOf(tail);
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array<string>(zeros).fill("0"), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":")}::/64`;
}

// The last 32 bits may be written as an IPv4 address, which takes the room of two groups.
function groupsOf(text: string): string[] {
  if (text === "") return [];
  return text.split(":").flatMap((group) => (group.includes(".") ? ["0", "0"] : group));
}
