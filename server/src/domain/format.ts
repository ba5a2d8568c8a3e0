/** Formats an amount in US dollars. */
export const USD = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });

const LONG = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" });

/** The day of an instant (UTC): "March 31, 2027". */
export const longDate = (at: Date) => LONG.format(at);
