import { electronicFormatIBAN, isValidIBAN } from "ibantools";
import {
  normalizeHttpsUrl,
  PAYMENT_LIMITS,
  type PaymentDetails,
  type PaymentWay,
} from "../../contract/index.ts";

/** A payment for a completed task. `amount` in USD; `to` is how the freelancer is paid, if they have said so. */
type PaymentOrder = {
  taskId: string;
  amount: number;
  reference: string;
  to: PaymentDetails | undefined;
};

/** How money goes from client to freelancer. */
export type PaymentProvider = {
  /** The details in the form in which they are kept and shown, or undefined if nobody can be paid so. */
  normalize(details: PaymentDetails): PaymentDetails | undefined;
  /**
   * Pays, and the same task only once. Its freelancer confirms a payment that is `paid`; one that is `received` has
   * arrived for certain.
   */
  pay(order: PaymentOrder): Promise<{ state: "paid" | "received"; reference: string }>;
};

/** No money moves: client and freelancer settle it, and only say here that they have. */
export const manualProvider: PaymentProvider = {
  normalize({ way, value }) {
    const normal = value === "" ? "" : NORMALIZERS[way](value);
    return normal === undefined ? undefined : { way, value: normal };
  },

  pay: ({ reference }) => Promise.resolve({ state: "paid", reference }),
};

// Without the characters of a link: `https://wise.com@evil.example/` is one, and would be shown as one.
const EMAIL = /^[^\s@<>":/?#]{1,64}@[^\s@<>":/?#]{1,190}\.[^\s@<>":/?#.]{2,24}$/;

const NORMALIZERS: Record<PaymentWay, (value: string) => string | undefined> = {
  iban(value) {
    const iban = electronicFormatIBAN(value);
    return iban !== null && isValidIBAN(iban) ? iban : undefined;
  },
  paypal: (value) =>
    EMAIL.test(value) ? value : linkTo(value, "paypal.me", "www.paypal.me", "www.paypal.com"),
  wise: (value) => (EMAIL.test(value) ? value : linkTo(value, "wise.com")),
  link: (value) => linkTo(value),
};

/** The https address, if it leads to one of these hosts or no host is given. */
function linkTo(value: string, ...hosts: string[]): string | undefined {
  const link = normalizeHttpsUrl(/^https?:/i.test(value) ? value : `https://${value}`);
  // Longer than it was typed, if it has other letters.
  if (!link || link.length > PAYMENT_LIMITS.details) return undefined;
  return hosts.length === 0 || hosts.includes(new URL(link).hostname) ? link : undefined;
}
