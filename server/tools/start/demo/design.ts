import { tasksOf } from "./people.ts";

const task = tasksOf("Design");

export const designTasks = [
  task(
    "ceramics-packaging",
    { by: "amara", posted: 5, due: 21, budget: 860, bids: ["hana", "claire", "kofi"] },
    "Shipping box and paper tape design for handmade ceramics",
    "We ship about 300 parcels a month in plain brown boxes. I want one design for three box sizes plus a paper tape, printed in a single ink. The unboxing should say 'fragile' without a red sticker. Deliver dielines filled in as PDF/X-4 and a mockup photo of each size; the printer's template is ready.",
  ),
  task(
    "harbor-wayfinding",
    { by: "jonas", posted: 11, due: 29, budget: 1650, bids: ["hana", "linh"] },
    "Wayfinding signs for three bike stations at the harbor",
    "Visitors stand in front of our stations and ask where to pick up a bike. We need a small system: one arrow family, four pictograms, and a layout grid for signs in two sizes. Readable from eight meters in rain.\n\nDeliver vector files, a two-page manual and one on-site photo test that I will run with printed paper.",
  ),
  task(
    "rehab-exercise-icons",
    { by: "priya", posted: 6, due: 40, budget: 2400, bids: ["hana", "claire", "elena", "mateo"] },
    "48 line icons of physiotherapy exercises",
    "Our patients follow exercises from a printed sheet, so the icons must be clear at 12 mm in black and white. Two poses per exercise where there is movement. Body type and clothing should feel like anyone. I will send photos of a therapist doing each exercise; you deliver SVGs on a 64 px grid with consistent stroke width.",
  ),
  task(
    "menu-redesign-bakery",
    { by: "kofi", posted: 2, due: 8, budget: 310, bids: ["hana", "claire", "linh", "tariq", "elena"] },
    "Wall menu and price cards for a neighborhood bakery",
    "The bakery changes six items every day and writes prices on masking tape. Design a wall menu (two A1 panels) and a set of cards they can reprint on an office printer. The owner is colorblind, so contrast matters more than mood. Word template for the cards, please.",
  ),
  task(
    "dashboard-empty-states",
    { by: "priya", posted: 3, due: 14, budget: 1200, bids: ["hana"] },
    "Empty states for a clinic dashboard, nine screens",
    "New clinics open our dashboard and see nine blank tables. Design an empty state for each: one sentence, one next step, one quiet illustration from a shared kit. Figma with our library (you get editor access), light and dark. We will test with two clinics before the final round.",
  ),
  task(
    "book-cover-essays",
    { by: "elena", posted: 9, due: 35, budget: 700, bids: ["claire", "hana"] },
    "Cover for a self-published book of essays about night trains",
    "Paperback, 5.5 by 8.5 inches, 212 pages, matte. I like covers that a person made with their hands and dislike stock photos of rails. Please include spine and back, an e-book version that works at thumbnail size, and all licenses. Three rough ideas first, one taken to the end.",
  ),
  task(
    "trade-fair-booth",
    { by: "jonas", posted: 4, due: 18, budget: 1325.5, bids: ["hana", "kofi"] },
    "Booth graphics for a cycling trade fair, 3 by 4 meters",
    "Back wall, two side panels, one counter. The message is settled ('Leave the car at the quay') and so are the photos. We need print files at 1:10 with the fair's bleed rules and a simple 3D view to show our director. Please check type sizes against a viewing distance of six meters.",
  ),
  task(
    "logo-cleanup",
    {
      by: "amara",
      posted: 1,
      due: 5,
      budget: 90,
      bids: ["hana", "claire", "linh", "mateo", "tariq", "kofi"],
    },
    "Redraw our hand-drawn logo as a clean vector",
    "My sister drew our logo with a brush and I love it, but the only file is a 900 px JPEG. Redraw it as vector with few points, keep the dry edge on the left stroke, and make a simplified version for stamps of 10 mm. Deliver SVG, PDF and a one-color version.",
  ),
  task(
    "annual-report-layout",
    { by: "priya", posted: 8, due: 26, budget: 2100, bids: ["claire", "hana", "elena"] },
    "Layout of a 36-page annual report with charts",
    "Text and numbers are final. We need a calm layout in InDesign with paragraph styles a colleague can reuse, eleven charts drawn from a spreadsheet, and a tagged PDF that passes PAC 2024. The report goes to insurers, so sober beats showy.",
  ),
  task(
    "app-icon-set",
    { by: "mateo", posted: 3, due: 12, budget: 425, bids: ["hana", "claire"] },
    "App icon and splash screen for a tide table app",
    "A small app that tells surfers and dog owners when the beach is wide. The icon must work on iOS, Android (adaptive) and as a favicon, and be recognizable next to weather apps without using a sun or a cloud. Two directions, one refined. Source in Figma plus exported sets.",
  ),
  task(
    "email-template-system",
    { by: "kofi", posted: 6, due: 16, budget: 560, bids: ["hana"] },
    "Modular newsletter design for a garden center",
    "Eight blocks that combine freely: header, lead story, two products, care tip, opening hours, event, coupon, footer. Design for 375 and 600 px and for dark mode in Apple Mail and Outlook. Code is not part of this task, but every block must be buildable without background images.",
  ),
  task(
    "map-illustration",
    { by: "jonas", posted: 13, due: 62, budget: 3300, bids: ["claire", "hana", "linh", "elena"] },
    "Illustrated map of five day trips along the coast",
    "A folded map, A2 to A6, that guests keep after the ride. Five routes with distance, surface and where to get coffee. Distances must be right even if the coast is charmingly simplified; we send GPX tracks and 60 points of interest.\n\nMilestones:\n- pencil layout\n- one finished corner\n- full color",
  ),
  task(
    "design-tokens-audit",
    { by: "priya", posted: 10, due: 23, budget: 1450, bids: ["hana", "linh"] },
    "Clean up 214 color styles into a small token set",
    "Our Figma file has grown 214 color styles, many of them the same gray. Reduce them to a documented set of tokens with roles, check the contrast of every pair we use, and remap the components. Deliver the library, a table old to new and a short recording for the team.",
  ),
  task(
    "product-photo-retouch",
    { by: "amara", posted: 2, due: 10, budget: 240, bids: ["claire"] },
    "Retouch 60 product photos of mugs and bowls",
    "Same light, same tripod, but the white balance drifts between sessions. Match all photos to the three reference images, remove dust, keep glaze speckles, and add a soft consistent shadow. Deliver 2,400 px sRGB JPEGs named by SKU. Please retouch two photos first so we agree on the look.",
  ),
  task(
    "conference-badges",
    { by: "hana", posted: 4, due: 7, budget: 150, bids: [] },
    "Type-only name badges for a lettering meetup of 150 people",
    "I organize the meetup and cannot bring myself to design for it as well. Names must be readable from two meters, with long names handled gracefully and accents set properly. A data-merge file for InDesign, tested with my list of 150 real names.",
  ),
  task(
    "pictogram-safety",
    { by: "jonas", posted: 27, due: -6, budget: 480, bids: ["hana", "claire", "kofi"] },
    "Safety instruction card for cargo bikes, words optional",
    "A laminated card that shows in six pictures how to load, brake and park a cargo bike with children aboard. Tourists from many countries use it, so pictures carry the meaning. We tested a draft with guests and two pictures were misread; notes are attached to the brief.",
  ),
  task(
    "studio-sign",
    { by: "amara", posted: 44, due: -19, budget: 350, bids: ["claire"] },
    "Hanging sign for a pottery studio in an old courtyard",
    "The courtyard is protected, so the sign has to be wood or steel, unlit, and at most 60 by 60 cm. I need a drawing that the metalworker can cut from and a montage for the permit. Our logo is a brush drawing and may be simplified.",
  ),
  task(
    "pitch-deck-template",
    { by: "mateo", posted: 16, due: -2, budget: 275.99, bids: ["hana", "kofi", "claire", "elena", "tariq"] },
    "Twelve-slide deck template that survives PowerPoint and Keynote",
    "Twelve layouts, real master slides, system fonts only, and charts that keep their colors when someone pastes new data. I will open it on Windows and on a Mac before accepting. Please no diagonal shapes.",
  ),
];
