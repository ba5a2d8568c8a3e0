import { escapeXml } from "../../http/site.ts";

const FIGURE = '<circle cx="48" cy="36" r="16" fill="#fff"/><path d="M16 88a32 32 0 0 1 64 0" fill="#fff"/>';

/** A picture of these initials, in a color of their own that white text can be read on, or of a figure. */
export function drawAvatar(initials = ""): string {
  let hue = 0;
  for (const character of initials) hue = (hue * 31 + (character.codePointAt(0) ?? 0)) % 360;
  const text = `<text x="48" y="62" text-anchor="middle" font-family="system-ui, sans-serif" font-size="40" font-weight="600" fill="#fff">${escapeXml(initials)}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96" viewBox="0 0 96 96"><rect width="96" height="96" fill="hsl(${hue}, 40%, 32%)"/>${initials ? text : FIGURE}</svg>`;
}
