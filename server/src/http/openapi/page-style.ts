/** How the page of the API looks: the web app's colours, both themes, no script, no font from elsewhere. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --ink: #1b2430; --soft: #56616f; --line: #d9dee5; --paper: #fff; --panel: #f5f7fa; --mark: #0b6b4f;
  --get: #0b5cad; --post: #0b6b4f; --put: #8a5300; --patch: #7a3fb0; --delete: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6ebf2; --soft: #a5b0be; --line: #36404d; --paper: #12171e; --panel: #1b222b;
  --mark: #5fd3a8; --get: #7cb8f5; --post: #5fd3a8; --put: #f0b45c; --patch: #cba3f5; --delete: #ff9b92; } }
* { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 1rem; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif; }
a { color: var(--mark); }
:focus-visible { outline: 3px solid var(--mark); outline-offset: 2px; }
.skip { position: absolute; left: -999px; }
.skip:focus { left: 1rem; top: 1rem; background: var(--paper); padding: .5rem; }
header { padding: 2.5rem 1.25rem 1.5rem; border-bottom: 1px solid var(--line); background: var(--panel); }
header > *, .page { max-width: 76rem; margin-inline: auto; }
h1 { margin: 0 auto; font-size: 2rem; line-height: 1.2; }
header p { margin-block: .5rem 0; color: var(--soft); max-width: 60rem; }
.page { display: grid; gap: 2rem; padding: 1.5rem 1.25rem 4rem; }
nav ul { list-style: none; margin: 0 0 1rem; padding: 0; }
nav strong { display: block; margin-top: .75rem; }
nav a { display: block; padding: .2rem 0; text-decoration: none; color: var(--ink); overflow-wrap: anywhere; }
nav a:hover { text-decoration: underline; }
main { min-width: 0; }
h2 { margin: 2.5rem 0 0; font-size: 1.5rem; }
main > section:first-child > h2 { margin-top: 0; }
.about { color: var(--soft); margin: .25rem 0 1rem; }
article { border: 1px solid var(--line); border-radius: .75rem; padding: 1.25rem; margin: 1rem 0; }
article h3 { margin: 0; font-size: 1.1rem; }
.call { margin: .35rem 0 .75rem; font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
.method { font-weight: 700; }
.get { color: var(--get); } .post { color: var(--post); } .put { color: var(--put); } .patch { color: var(--patch); } .delete { color: var(--delete); }
article p { margin: .5rem 0; }
h4 { margin: 1rem 0 .25rem; font-size: .95rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; }
th, td { text-align: left; vertical-align: top; padding: .4rem .75rem .4rem 0; border-top: 1px solid var(--line); }
th { font-weight: 600; white-space: nowrap; }
td:last-child { white-space: pre-line; }
code, pre { font-family: ui-monospace, monospace; font-size: .9em; }
pre { background: var(--panel); border-radius: .5rem; padding: .75rem; overflow-x: auto; margin: .5rem 0; }
summary { cursor: pointer; padding: .35rem 0; }
@media (min-width: 60rem) { .page { grid-template-columns: 17rem minmax(0, 1fr); }
  nav { position: sticky; top: 1rem; max-height: calc(100vh - 2rem); overflow-y: auto; align-self: start; font-size: .95rem; } }
`;
