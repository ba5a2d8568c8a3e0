import type { ApiDocument, Operation } from "./document.ts";
import type { JsonSchema } from "./schemas.ts";

/** Writes the document as a page for people: every endpoint with what it takes and answers, then every schema. */
export function apiPage(document: ApiDocument): string {
  const { info, tags, components } = document;
  const calls = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ path, method, operation })),
  );
  const of = (tag: string) => calls.filter(({ operation }) => operation.tags.includes(tag));
  const contents = tags.map(
    ({ name }) =>
      `<li><strong>${name}</strong><ul>${of(name)
        .map(({ operation }) => link(`#${operation.operationId}`, operation.summary))
        .map((entry) => `<li>${entry}</li>`)
        .join("")}</ul></li>`,
  );
  const sections = tags.map(
    ({ name, description }) =>
      `<section><h2 id="${name}">${name}</h2><p class="about">${text(description)}</p>${of(name).map(article).join("")}</section>`,
  );
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) =>
      `<details id="schema-${name}"><summary>${text(name)}</summary>${json(schema)}</details>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${text(info.title)}</title><link rel="stylesheet" href="/api-docs/style.css"></head>
<body><a class="skip" href="#calls">Skip to the calls</a>
<header><h1>${text(info.title)}</h1><p>${text(info.summary)}</p><p>${marked(info.description)}</p>
<p><a href="/openapi.json">openapi.json</a> (OpenAPI ${text(document.openapi)})</p></header>
<div class="page"><nav aria-label="Calls"><ul>${contents.join("")}<li>${link("#schemas", "Schemas")}</li></ul></nav>
<main id="calls">${sections.join("")}<section><h2 id="schemas">Schemas</h2>${schemas.join("")}</section></main></div>
</body></html>
`;
}

type Call = { path: string; method: string; operation: Operation };

function article({ path, method, operation }: Call): string {
  const { operationId, summary, description, parameters, requestBody, responses } = operation;
  const answers = Object.entries(responses).map(([status, { description: when, content, headers }]) => [
    `<code>${status}</code>`,
    [marked(when), contentOf(content), namesOf(headers)].filter(Boolean).join("\n"),
  ]);
  return (
    `<article id="${operationId}"><h3>${text(summary)}</h3>` +
    `<p class="call"><span class="method ${method}">${method.toUpperCase()}</span> ${text(path)}</p>` +
    description
      .split("\n\n")
      .map((part) => `<p>${marked(part)}</p>`)
      .join("") +
    (parameters.length > 0
      ? `<h4>Parameters</h4>${table(["Name", "In", "What"], parameters.map(parameter))}`
      : "") +
    (requestBody
      ? `<h4>Body${requestBody.required ? "" : " (optional)"}</h4><p>${contentOf(requestBody.content)}</p>`
      : "") +
    `<h4>Answers</h4>${table(["Status", "What"], answers)}</article>`
  );
}

function parameter({ name, in: place, description, schema }: JsonSchema): string[] {
  const shape = `<code>${text(JSON.stringify(schema))}</code>`;
  const said = typeof description === "string" ? `${marked(description)}\n` : "";
  return [`<code>${text(String(name))}</code>`, text(String(place)), said + shape];
}

function contentOf(content: Operation["responses"][string]["content"]): string {
  return Object.entries(content ?? {})
    .filter(([type]) => type !== "application/problem+json")
    .map(([type, { schema }]) => {
      const name = String(schema["$ref"] ?? "")
        .split("/")
        .at(-1);
      return name ? link(`#schema-${name}`, name) : text(type);
    })
    .join(", ");
}

function namesOf(headers: Operation["responses"][string]["headers"]): string {
  const names = Object.keys(headers ?? {}).filter((name) => name !== "X-Request-Id");
  return names.length > 0 ? `Headers: ${names.map((name) => `<code>${text(name)}</code>`).join(", ")}` : "";
}

function table(head: string[], rows: string[][]): string {
  const cells = (tag: string, row: string[]) => row.map((cell) => `<${tag}>${cell}</${tag}>`).join("");
  const body = rows.map((row) => `<tr>${cells("td", row)}</tr>`).join("");
  return `<div class="scroll"><table><thead><tr>${cells("th", head)}</tr></thead><tbody>${body}</tbody></table></div>`;
}

function json(schema: JsonSchema): string {
  const linked = text(JSON.stringify(schema, null, 2)).replace(
    /#\/components\/schemas\/(\w+)/g,
    (_all, name: string) => link(`#schema-${name}`, name),
  );
  return `<pre tabindex="0">${linked}</pre>`;
}

function link(href: string, label: string): string {
  return `<a href="${href}">${text(label)}</a>`;
}

/** The two marks of Markdown that the document uses. */
function marked(value: string): string {
  return text(value)
    .replace(/`([^`]+)`/g, "<code>$1</code>")
    .replace(/\*\*([^*]+)\*\*/g, "<strong>$1</strong>");
}

function text(value: string): string {
  return value
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
