import { tasksOf } from "./people.ts";

const task = tasksOf("Web Development");

export const webDevelopmentTasks = [
  task(
    "woocommerce-rounding",
    { by: "amara", posted: 2, due: 6, budget: 180, bids: ["tariq", "linh", "mateo"] },
    "Fix checkout rounding bug in a WooCommerce store",
    "Orders with a percentage coupon and two tax rates come out one cent higher at checkout than in the cart. It started after we moved from WooCommerce 8 to 9. I need the cause explained in a few lines, the fix in our child theme or a small plugin, and a test order for each of the five cases in our spreadsheet. Done when cart, checkout, invoice and payment provider all show the same total.",
  ),
  task(
    "bike-rental-calendar",
    { by: "jonas", posted: 4, due: 38, budget: 4200, bids: ["mateo", "tariq", "linh", "kofi", "hana"] },
    "Build an availability calendar for a bike rental website",
    "We rent 140 bikes from three harbor stations and still take bookings by phone. We need a month calendar that shows free bikes per station and type, and a booking form that holds a bike for 15 minutes.\n\nDeliverables:\n- React component that reads our existing JSON API (documented)\n- keyboard and screen reader support\n- works from 320 px wide\n- tests for double booking and for the hour when clocks change",
  ),
  task(
    "clinic-postgres-slow-query",
    { by: "priya", posted: 3, due: 11, budget: 950, bids: ["linh", "tariq"] },
    "Find out why our appointment search takes nine seconds in Postgres",
    "The search over 2.3 million appointments slows to nine seconds when a clinic filters by therapist and insurance together. You get a masked copy of the database and the query log. Please deliver the measured cause, the index or query change as a migration, and before/after plans. Target: under 300 ms at the 95th percentile on the copy.",
  ),
  task(
    "astro-portfolio-migration",
    { by: "hana", posted: 6, due: 24, budget: 1350, bids: ["mateo", "linh", "tariq", "elena"] },
    "Move my design portfolio from Squarespace to Astro",
    "Twenty-two project pages, one blog with about 40 posts, and a contact form. I have the new layout in Figma and will export all images myself. Old addresses must redirect to the new ones, and every page should score 95 or better in Lighthouse on mobile. I want to edit posts as Markdown in the repository.",
  ),
  task(
    "stripe-webhook-duplicates",
    { by: "priya", posted: 1, due: 9, budget: 640.5, bids: ["tariq"] },
    "Make our Stripe webhook handler safe against duplicate events",
    "Twice last month a clinic was charged once but activated twice, because the same event reached us two times within a second. The handler is about 200 lines of TypeScript in Express. I expect an idempotent handler, a test that delivers the same event 20 times in parallel, and a short note on how to replay failed events.",
  ),
  task(
    "museum-ticket-widget",
    { by: "jonas", posted: 8, due: 15, budget: 320, bids: ["mateo", "linh"] },
    "Embed a museum ticket widget in our tour pages",
    "Our city tours include entry to two museums that share one ticket provider. Their widget is a script tag that breaks our content security policy and shifts the page by 400 px when it loads. Wrap it so it loads on demand, keeps its space, and passes the policy we already have. Chrome, Safari and Firefox, current and previous version.",
  ),
  task(
    "shopify-firing-calculator",
    {
      by: "amara",
      posted: 5,
      due: 19,
      budget: 275,
      bids: ["tariq", "linh", "mateo", "kofi", "elena", "hana"],
    },
    "Kiln firing cost calculator for a Shopify page",
    "Members of our studio ask every week what a firing costs. Build a small calculator: kiln size, bisque or glaze, share of the shelf, member or guest. Prices live in a metafield that I can edit without you.\n\nPlain JavaScript, no new app subscription, matches our theme's fonts, and the result can be shared as a link.",
  ),
  task(
    "accessibility-audit-booking",
    { by: "priya", posted: 9, due: 31, budget: 2800, bids: ["linh", "hana", "mateo"] },
    "WCAG 2.2 AA audit and fixes for a patient booking flow",
    "Five screens in React: find a clinic, choose a time, your details, confirm, done. Audit them with a keyboard, NVDA and VoiceOver, then fix what you find; our code is typed and has tests. Deliver the list of findings with the success criterion each one breaks, and pull requests of reviewable size. A blind tester on our side will book an appointment at the end, and that is the acceptance test.",
  ),
  task(
    "node-upgrade-22",
    { by: "mateo", posted: 3, due: 17, budget: 1100, bids: ["tariq", "linh"] },
    "Upgrade three small Express services from Node 16 to Node 22",
    "Three services, about 6,000 lines together, with decent tests in two of them. Upgrade Node and the dependencies, replace the libraries nobody maintains, and keep the public API byte for byte where clients rely on it. I will review every pull request within a day. The third service needs a handful of tests before you start.",
  ),
  task(
    "csv-import-tool",
    { by: "jonas", posted: 12, due: 45, budget: 1875, bids: ["linh"] },
    "CSV import with a preview for our fleet admin",
    "Station managers type new bikes in one by one. We want them to upload a CSV, see what would change, fix wrong rows in place, and import the rest. Files reach 5,000 rows and come out of Excel in at least four languages, so expect semicolons and strange encodings. Vue 3 and our existing table component.",
  ),
  task(
    "editor-reading-time",
    { by: "elena", posted: 2, due: 13, budget: 390, bids: ["mateo", "hana"] },
    "Ghost theme: footnotes, reading time and a calmer article page",
    "My newsletter runs on Ghost with a bought theme. I want proper footnotes with links back, a reading time that ignores code and captions, and 68 characters per line on a laptop. Please work in a child copy of the theme and show me two variants of the article page before you build one.",
  ),
  task(
    "offline-inspection-app",
    { by: "jonas", posted: 7, due: 68, budget: 6500, bids: ["tariq", "linh", "mateo", "kofi"] },
    "Offline-first inspection app for bike mechanics (PWA)",
    "Our mechanics check bikes in a basement without reception. They need a checklist on an old Android tablet that works offline, takes up to four photos per bike, and syncs when the tablet is back upstairs.\n\nScope:\n1. checklist from our API, cached\n2. photos resized on the device\n3. sync queue that survives a restart\n4. a page that shows what has not been sent yet\n\nWe supply two tablets for testing and a patient mechanic.",
  ),
  task(
    "dns-mail-setup",
    { by: "amara", posted: 1, due: 4, budget: 120, bids: [] },
    "Set up SPF, DKIM and DMARC so our order emails stop landing in spam",
    "Order confirmations from our shop land in spam for about one customer in ten. Mail leaves through Shopify and a newsletter service, and the domain is at a small registrar with a plain DNS editor. Please make the changes on a call with me, then check the reports two weeks later. A one-page record of what was set and why is part of the job.",
  ),
  task(
    "print-catalog-generator",
    { by: "hana", posted: 10, due: 27, budget: 820, bids: ["linh", "tariq", "claire"] },
    "Generate type specimen PDFs from a web page",
    "I sell nine typefaces and make each specimen by hand. Build a script that turns a template and a JSON file into a print-ready PDF with bleed, embedded fonts and working OpenType features. The same input must give the same file twice. You may pick the tool as long as it runs on a Mac without a server.",
  ),
  task(
    "multilingual-routes",
    {
      by: "jonas",
      posted: 14,
      due: 33,
      budget: 2150,
      bids: ["mateo", "tariq", "linh", "claire", "elena", "kofi", "hana"],
    },
    "Add German and Danish to a Next.js tour site",
    "About 35 pages and 900 strings, English only today. Introduce localized routes, language alternates for search engines and a language switch that remembers the choice. Translation itself is a separate task; we need the keys extracted to files a translator can open. Done when a page missing its translation fails the build.",
  ),
  task(
    "legacy-php-contact-form",
    { by: "kofi", posted: 10, due: -3, budget: 95, bids: ["tariq", "mateo", "linh", "elena"] },
    "Replace an abused PHP contact form on a bakery website",
    "A client's form is sending spam through their host and the host has given us a week. Replace it with something that validates on the server, limits the rate and does not send to arbitrary addresses. Shared hosting with PHP 8.2, no database. I need it live and a screenshot of ten blocked test messages.",
  ),
  task(
    "glaze-recipe-search",
    { by: "amara", posted: 41, due: -12, budget: 740, bids: ["linh", "mateo"] },
    "Searchable glaze recipe library for studio members",
    "We have 312 glaze recipes in a spreadsheet with photos of test tiles. Members should find them by color, temperature and main oxide, and print one recipe per page. Static site is fine; the spreadsheet stays the source and a rebuild must be one click for me.",
  ),
  task(
    "load-test-checkout",
    { by: "priya", posted: 52, due: -25, budget: 1480.75, bids: ["tariq"] },
    "Load test for the Monday-morning booking rush",
    "Every Monday at 8:00 about 1,200 patients try to book within three minutes. Write k6 scenarios that look like the real traffic, run them against our staging system and tell us what gives way first. Deliver the scripts, the raw results and a two-page report that a non-engineer can follow.",
  ),
];
