import { addDays, calendarDate, type ProfileDraft } from "../../../src/contract/index.ts";
import type { PersonDoc } from "../../../src/db/documents/people.ts";
import { daysBefore } from "./ids-and-dates.ts";
import { type DemoName, demoAccounts } from "./people.ts";

/** The profiles of some demo people; the others have none. */
export const demoProfiles: Partial<Record<DemoName, ProfileDraft>> = {
  hana: {
    headline: "Packaging, icons and signs that survive the printer",
    about:
      "I studied print before screens, so dielines, bleed and paper are not an afterthought. I work alone, on two tasks at a time at most, and answer within a day.\n\nSketches come first, always by hand. Two rounds of changes are in every price.",
    skills: ["Packaging", "Icon design", "Wayfinding", "Figma", "InDesign", "Print production"],
    links: ["https://hana.example/work", "https://hana.example/dielines"],
    languages: ["ja", "en"],
  },
  mateo: {
    headline: "Small web apps for people who have no IT department",
    about:
      "Ten years of booking pages, shop floors and tide tables. I like tasks with a clear end, and I write the handbook for whoever comes after me.",
    skills: ["TypeScript", "React", "Node.js", "PostgreSQL", "Accessibility"],
    links: ["https://mateo.example/"],
    languages: ["es", "en", "pt"],
  },
  claire: {
    headline: "Book covers and reports, calm ones",
    about: "Editorial designer. Tagged PDFs are not an extra.",
    skills: ["Editorial design", "Typography", "Tagged PDF"],
    links: ["https://claire.example/covers"],
    languages: ["fr", "en", "de"],
  },
  linh: {
    headline: "",
    about: "",
    skills: ["SEO", "Analytics", "Newsletters"],
    links: [],
    languages: ["vi", "en"],
  },
  amara: {
    headline: "Handmade ceramics, shipped in plain boxes",
    about: "I run a pottery with four people. My briefs are short and my feedback comes the same day.",
    skills: [],
    links: ["https://amara.example/"],
    languages: ["en", "ig", "yo"],
  },
};

export function personDocs(today: Date): PersonDoc[] {
  return demoAccounts.map(({ key, uid, displayName: name, email }, index) => {
    const written = demoProfiles[key];
    return {
      _id: uid,
      name,
      email,
      emailVerified: true,
      emailNotices: false,
      memberSince: daysBefore(today, 400 - 23 * index),
      publicSince: daysBefore(today, 400 - 23 * index),
      lastActiveOn: addDays(calendarDate(today), -(index % 6)),
      ...(written && { profile: { ...written, version: 1 } }),
    };
  });
}
