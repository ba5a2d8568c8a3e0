const CURRENCY = { style: "currency", currency: "USD" } as const;
/** Formats an amount in US dollars for a sentence, with cents only if not zero: "$300" or "$19.50". */
export const USD = new Intl.NumberFormat("en-US", { ...CURRENCY, trailingZeroDisplay: "stripIfInteger" });
/** Formats an amount in US dollars for a document: "$300.00". */
export const USD_CENTS = new Intl.NumberFormat("en-US", CURRENCY);

const LONG = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" });

/** The day of an instant (UTC): "March 31, 2027". */
export const longDate = (at: Date) => LONG.format(at);
