const BRAND = "Tasklane";

/** Operator settings: brand, contact and social links. Used by pages, titles and index.html. */
export const site = {
  brand: BRAND,
  tagline: "Fixed-price work, out in the open.",
  description: `${BRAND} is a freelance marketplace for fixed-price tasks. Post a task with a budget and a deadline, or find your next one and bid on it.`,
  contact: {
    address: ["House 14, Road 27", "Dhanmondi, Dhaka 1209", "Bangladesh"],
    email: "hello@tasklane.example",
    phone: "+880 2 5550 0142",
  },
  social: [
    { name: "Facebook", url: "https://www.facebook.com/" },
    { name: "X", url: "https://x.com/" },
    { name: "Instagram", url: "https://www.instagram.com/" },
    { name: "LinkedIn", url: "https://www.linkedin.com/" },
  ],
} as const;

/** The document title of a page: `Home | Tasklane`. */
export function pageTitle(page: string): string {
  return `${page} | ${site.brand}`;
}
