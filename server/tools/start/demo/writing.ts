import { tasksOf } from "./people.ts";

const task = tasksOf("Writing");

export const writingTasks = [
  task(
    "glaze-care-guide",
    { by: "amara", posted: 3, due: 9, budget: 140, bids: ["elena", "claire"] },
    "Care guide for handmade stoneware, 800 words",
    "Customers ask the same ten questions about dishwashers, microwaves and gray cutlery marks. Turn my notes into a friendly guide of about 800 words with short headings. It is printed on a folded card and also lives on the site, so no sentence may depend on a link. One round of edits.",
  ),
  task(
    "tour-descriptions",
    { by: "jonas", posted: 5, due: 20, budget: 990, bids: ["elena", "claire", "kofi"] },
    "Rewrite 18 city tour descriptions so they stop sounding alike",
    "All our tours 'discover hidden gems', and guests cannot tell them apart. Rewrite 18 descriptions of 120 to 150 words from guide interviews (recordings and transcripts supplied). Each should say who the tour is for and who should pick another one. We will approve two before you write the rest.",
  ),
  task(
    "api-docs-booking",
    { by: "priya", posted: 7, due: 28, budget: 2250, bids: ["claire", "elena", "mateo", "linh"] },
    "Write API documentation for partners of a booking platform",
    "Twelve endpoints, an OpenAPI file that is accurate but terse, and partners who write to us every day. We need a getting-started page, a page on authentication, one on errors, and a worked example that books and cancels an appointment with curl. You should be comfortable trying requests yourself against our sandbox.",
  ),
  task(
    "patient-letters",
    { by: "priya", posted: 2, due: 13, budget: 675, bids: ["elena"] },
    "Plain-language rewrite of 25 appointment letters",
    "The letters confirm, move or cancel appointments and remind patients what to bring. Readers are often in pain and sometimes read English as a second language, so aim for grade 6 and one message per letter. Placeholders such as {{clinic_name}} must survive untouched. A clinician checks every text.",
  ),
  task(
    "german-translation-tours",
    { by: "jonas", posted: 12, due: 30, budget: 1110, bids: ["claire", "elena"] },
    "Translate 900 website strings from English to German",
    "Booking site for bikes and tours, informal address. Strings come as JSON with comments and screenshots. Native speakers only, please, and tell us when an English string cannot be translated well so that we can change the source. About 7,400 words in total.",
  ),
  task(
    "about-page-foundry",
    { by: "hana", posted: 9, due: 41, budget: 900, bids: ["elena", "claire", "kofi"] },
    "Stories behind nine typefaces, 200 words each",
    "I can draw letters but not write about them. We talk for half an hour per typeface, and you turn it into 200 words that a designer wants to finish. No 'timeless', no 'bold yet elegant'. Delivered as Markdown, one file per typeface.",
  ),
  task(
    "onboarding-emails",
    { by: "priya", posted: 1, due: 11, budget: 520, bids: ["elena", "kofi", "claire", "mateo", "hana"] },
    "Five onboarding emails for clinics in their first two weeks",
    "Clinics sign up, import their staff and then stall. Write five emails of at most 120 words, each about one task they can finish before lunch. Subject lines in two versions. You get recordings of four onboarding calls, which contain most of the answers.",
  ),
  task(
    "grant-application",
    { by: "amara", posted: 1, due: 4, budget: 230, bids: ["claire"] },
    "Edit a grant application for a community kiln",
    "I wrote 2,600 words and the limit is 1,800. The city funds shared workshops and asks for numbers, a risk plan and letters of support, all of which I have. Please cut, reorder and question weak claims. Tracked changes, and one call before submission.",
  ),
  task(
    "release-notes-style",
    { by: "mateo", posted: 6, due: 22, budget: 460, bids: ["elena", "claire"] },
    "Style guide for release notes, plus 20 rewritten examples",
    "Our notes read like commit messages. Write a two-page guide on what to mention, in which order and in which voice, then rewrite the last 20 releases with it. Readers are shop owners who want to know whether they have to do something.",
  ),
  task(
    "interview-transcripts",
    { by: "elena", posted: 8, due: 25, budget: 385.5, bids: ["claire", "tariq", "kofi", "linh"] },
    "Correct six machine transcripts of interviews with railway workers",
    "Six recordings, seven hours in total, with a machine transcript for each. Names of towns and machines are mostly wrong; a glossary of 140 terms is supplied. Keep the way people speak and mark what you cannot hear with a time stamp. I quote from these, so a wrong word matters.",
  ),
  task(
    "mechanic-manual",
    { by: "jonas", posted: 10, due: 75, budget: 4800, bids: ["claire", "elena", "linh"] },
    "Service manual for rental bikes from a mechanic's notes",
    "Our head mechanic retires in spring and his notebook is the manual. Turn 70 scanned pages and two days of conversation into a manual with one procedure per page: tools, steps, torque, how to know it worked. Photos are taken by us from your shot list. A new mechanic must be able to do a brake service with it, unaided.",
  ),
  task(
    "recipe-book-proof",
    { by: "kofi", posted: 4, due: 15, budget: 340, bids: ["elena", "claire", "hana"] },
    "Proofread a 96-page bakery recipe booklet",
    "US English, weights in grams and cups, 52 recipes. Check spelling, consistent units and that every ingredient in a list is used in the steps. Mark corrections in the PDF. Two recipes were mixed up in the last edition, so please really cook through them in your head.",
  ),
  task(
    "error-messages",
    { by: "priya", posted: 11, due: 18, budget: 780, bids: ["elena", "claire", "linh", "mateo"] },
    "Rewrite 130 error messages in a medical scheduling app",
    "A spreadsheet lists each message, where it appears and what really happened. For every row write what went wrong, what is safe, and what to do next, in 140 characters or fewer. Flag the ones where text cannot help and the screen should change instead.",
  ),
  task(
    "workshop-descriptions",
    { by: "amara", posted: 2, due: 6, budget: 110, bids: [] },
    "Ten workshop descriptions for a pottery studio",
    "From 'first bowl' to 'plaster molds for advanced potters'. About 90 words each: what you take home, what to wear, whether your nails will survive. The tone is warm and a little dry. I will send voice notes for each course.",
  ),
  task(
    "case-study-garden",
    { by: "kofi", posted: 15, due: 34, budget: 450, bids: ["elena", "claire"] },
    "Case study: how a garden center doubled its winter orders",
    "About 1,000 words based on a call with the owner and the numbers in our report. Tell what failed first, because that part is interesting. Two pull quotes approved by the owner, one chart described for our designer.",
  ),
  task(
    "museum-audio-scripts",
    {
      by: "jonas",
      posted: 39,
      due: -8,
      budget: 1260,
      bids: ["elena", "claire", "kofi", "hana", "mateo", "tariq"],
    },
    "Twelve two-minute audio scripts for a self-guided harbor ride",
    "Riders hear each script while standing, so it has to point at what they see and end with where to go next. Twelve stops, 260 to 300 words each, fact-checked with two sources per stop. Read one aloud to us before you write the others.",
  ),
  task(
    "privacy-notice-summary",
    { by: "priya", posted: 18, due: -1, budget: 300, bids: ["claire"] },
    "One-page summary of our privacy notice for patients",
    "Our lawyers wrote nine correct pages that no patient reads. Write a one-page summary that is true, in large type, and points to the right section for each topic. Our lawyer reviews it; expect one conversation about the word 'may'.",
  ),
  task(
    "newsletter-back-issues",
    { by: "elena", posted: 48, due: -14, budget: 620, bids: ["claire", "hana"] },
    "Index of 80 newsletter issues by topic and place",
    "I would like an index as in a good non-fiction book: people, places, subjects, with cross-references. Eighty issues of about 1,500 words, delivered as a spreadsheet with one row per entry. Sample of five issues first so that we agree on the depth.",
  ),
];
