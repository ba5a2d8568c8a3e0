import { tasksOf } from "./people.ts";

const task = tasksOf("Marketing");

export const marketingTasks = [
  task(
    "etsy-listing-audit",
    { by: "amara", posted: 4, due: 12, budget: 360, bids: ["kofi", "claire", "elena"] },
    "Audit 40 Etsy listings for search and rewrite the ten weakest",
    "Views dropped by a third since summer. Look at titles, tags, categories and photos of 40 listings, rank what to fix first, and rewrite the ten weakest completely. I need a table I can work through afterward and a note on what you would measure in a month.",
  ),
  task(
    "spring-campaign-bikes",
    { by: "jonas", posted: 6, due: 58, budget: 3900, bids: ["kofi", "claire", "mateo", "elena"] },
    "Plan and run a six-week spring campaign for bike rentals",
    "Goal: 900 online bookings before the season's first long weekend. Media budget of $5,000 is separate from this fee. We expect a plan on two pages, creative briefs for our designer, set-up in Google and Meta, weekly numbers without vanity metrics, and a closing report that says what not to repeat.",
  ),
  task(
    "ga4-setup-clinic",
    { by: "priya", posted: 3, due: 17, budget: 1150, bids: ["kofi", "linh"] },
    "Consent-respecting analytics setup for a clinic website",
    "We want to know which pages lead to a booking, without health data leaving our system. Propose a tool and a short measurement plan, implement it with server-side events, and document each event with its purpose. Nothing may load before consent. Our data protection officer signs off.",
  ),
  task(
    "keyword-research-fonts",
    { by: "hana", posted: 5, due: 14, budget: 290, bids: ["kofi"] },
    "Keyword research for a small type foundry",
    "Designers do not search for my typeface names; they search for moods and uses. Find out which words they use, group them, and match them to my nine families and 22 case pages. Spreadsheet with volume, difficulty, current rank and a suggested page for each group.",
  ),
  task(
    "newsletter-growth",
    { by: "elena", posted: 8, due: 72, budget: 1800, bids: ["kofi", "claire", "mateo", "tariq", "hana"] },
    "Grow a travel essay newsletter from 2,400 to 4,000 readers",
    "Three months, no paid ads, no giveaways. I am open to swaps with other newsletters, a better landing page and pieces in magazines. Pay is fixed, so pick methods you trust. I need a monthly page on what you tried, with numbers by source.",
  ),
  task(
    "instagram-calendar",
    { by: "amara", posted: 2, due: 10, budget: 420, bids: ["claire", "kofi", "elena", "hana"] },
    "Three-month Instagram calendar for a ceramics studio",
    "Two posts and one reel idea per week, built around kiln openings, workshops and two markets. Use the 400 photos we already have before asking for new ones. Captions in our voice, alt text for each photo, and hashtags only where they help.",
  ),
  task(
    "google-business-stations",
    { by: "jonas", posted: 3, due: 7, budget: 165, bids: ["kofi", "tariq"] },
    "Fix Google Business profiles for three rental stations",
    "One station shows the wrong pin, one has two profiles, one lists winter hours all year. Sort out ownership, merge duplicates, set categories and seasonal hours, and upload 15 photos each. Done when all three are verified and a search for 'bike rental' near the harbor shows them.",
  ),
  task(
    "webinar-physio",
    { by: "priya", posted: 9, due: 26, budget: 1380, bids: ["kofi", "elena"] },
    "Promote a webinar for physiotherapy practice owners",
    "A free one-hour session on no-shows with a clinic manager who cut them by half. We need a landing page text, three invitations, a LinkedIn plan for our two founders and a follow-up for people who registered but did not come. Target is 150 registrations from clinics with at least three therapists.",
  ),
  task(
    "app-store-page",
    { by: "mateo", posted: 7, due: 19, budget: 330, bids: ["kofi", "claire"] },
    "App Store and Play Store listing for a tide table app",
    "Name, subtitle, keywords, description and captions for six screenshots, in English and Spanish. The app is paid once, without ads, and that should be clear in the first line. Include a list of ten competing apps and how we differ in plain words.",
  ),
  task(
    "hotel-partnerships",
    { by: "jonas", posted: 14, due: 48, budget: 2600, bids: ["kofi"] },
    "Win twelve hotels as partners for bike rentals",
    "We give guests of partner hotels 10% off, and the hotel gets a small commission. Build a list of 60 hotels within two miles of a station, write to the right person, follow up twice and hand over the interested ones. Success is twelve signed one-page agreements; the agreement is ready.",
  ),
  task(
    "customer-survey",
    { by: "amara", posted: 11, due: 32, budget: 850, bids: ["claire", "elena", "kofi"] },
    "Design and analyze a survey of 1,100 past customers",
    "I want to know who buys for themselves, who buys gifts, and why people do not come back. Ten questions at most, tested with five customers before it goes out. Deliver the cleaned answers, a four-page summary with honest error margins and three things to try.",
  ),
  task(
    "paid-search-cleanup",
    { by: "kofi", posted: 1, due: 8, budget: 540, bids: ["tariq", "claire"] },
    "Clean up a Google Ads account with 300 paused campaigns",
    "I inherited an account from another agency. Archive what is dead, rebuild the naming, add negative keywords from the last year's search terms, and set conversions straight; two of them count page views. Screen recording of the new structure for my client, 15 minutes at most.",
  ),
  task(
    "podcast-outreach",
    {
      by: "hana",
      posted: 13,
      due: 37,
      budget: 475.25,
      bids: ["elena", "kofi", "claire", "mateo", "linh", "tariq"],
    },
    "Pitch a lettering artist to 25 design podcasts",
    "I have things to say about letters on shop fronts and would like to say them on five shows. Find 25 podcasts that fit, listen to at least one episode of each, and write pitches that prove it. I answer replies myself. A list with hosts, audience and reasons is part of the delivery.",
  ),
  task(
    "loyalty-card",
    { by: "kofi", posted: 10, due: 21, budget: 250, bids: [] },
    "Work out a loyalty scheme for a bakery with two shops",
    "Paper cards get lost, and an app is too much. Compare three schemes with the bakery's real margins, recommend one, and write the text the staff says at the counter. A spreadsheet that shows the cost at 5%, 15% and 30% take-up.",
  ),
  task(
    "market-stall-flyer-drop",
    { by: "amara", posted: 5, due: 3, budget: 40, bids: ["claire", "kofi"] },
    "Local plan for a winter pottery market, 30 stalls",
    "First edition, town of 40,000, budget for printing and posters of $600. Propose where to be seen, which local papers and groups to write to and when, and draft the three texts.\n\nPlease include:\n- a week-by-week list I can hand to two volunteers\n- a press text of 250 words\n- a simple way to count who came because of what",
  ),
  task(
    "review-reply-guide",
    { by: "jonas", posted: 22, due: -4, budget: 395, bids: ["elena", "claire", "kofi"] },
    "Reply guide for reviews, with 40 worked examples",
    "Seasonal staff answer reviews in three languages and in very different moods. Write a guide of two pages and 40 replies to real reviews, ten of them unfair. It should help a nineteen-year-old to stay kind after a long Saturday.",
  ),
  task(
    "referral-program-clinics",
    { by: "priya", posted: 55, due: -16, budget: 1720, bids: ["kofi", "elena"] },
    "Referral program for clinics that recommend us to others",
    "Half of our customers come by word of mouth, and we never say thank you. Design a program that clinics may legally accept, with rules on one page, an in-app message and two emails. Interview five customers before you propose anything; we introduce you.",
  ),
  task(
    "linkedin-ghost-plan",
    { by: "mateo", posted: 60, due: -30, budget: 410, bids: ["kofi", "elena", "claire", "hana"] },
    "Positioning for a freelance developer who is tired of 'full stack'",
    "I do maintenance of old web shops and I like it. Help me say that so the right people call: one sentence, one profile text, three project stories and a list of 20 companies to write to. Two calls of an hour. I will judge it by whether my mother and a shop owner understand it.",
  ),
];
