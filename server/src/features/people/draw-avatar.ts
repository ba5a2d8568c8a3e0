import { escapeXml } from "../../http/site.ts";

/** A picture of these initials in white, on a color of their own, or of a figure. */
export function drawAvatar(initials = ""): string {
  const hue = Buffer.from(initials).reduce((sum, byte) => (sum * 31 + byte) % 360, 0);
  const text = `<text x="48" y="62" text-anchor="middle" font-family="system-ui,sans-serif" font-size="40">${escapeXml(initials)}</text>`;
  const figure = '<path d="M48 20a16 16 0 0 1 0 32a16 16 0 0 1 0-32M16 88a32 32 0 0 1 64 0"/>';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" fill="#fff"><path d="M0 0h96v96H0" fill="hsl(${hue},40%,32%)"/>${initials ? text : figure}</svg>`;
}
