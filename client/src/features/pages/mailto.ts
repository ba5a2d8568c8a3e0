type Message = { name: string; email: string; text: string };

/** The `mailto:` address (RFC 6068) that opens a contact message in a mail program. */
export function mailtoAddress(to: string, { name, email, text }: Message): string {
  const from = [name, email && `<${email}>`].filter(Boolean).join(" ");
  const subject = name ? `Message from ${name}` : "Message";
  // RFC 6068 wants percent-encoding and CRLF; URLSearchParams would turn spaces into plus signs.
  const body = [text, from && `-- \n${from}`].filter(Boolean).join("\n\n").replaceAll(/\r?\n/g, "\r\n");
  return `mailto:${to}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;
}
