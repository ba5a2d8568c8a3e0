import type { PaymentDetails } from "@tasklane/server/contract";
import { Fact } from "../../ui/fact.tsx";
import { WAY_NAMES } from "./payment-queries.ts";

/** How a hired freelancer is paid, for their client. Addresses of pages are links; the rest is text to copy. */
export function PaidBy({ details: { way, value } }: { details: PaymentDetails }) {
  return (
    <dl>
      <Fact name={`Paid by ${WAY_NAMES[way]}`}>
        {value.startsWith("https://") ? (
          <a
            href={value}
            target="_blank"
            rel="nofollow ugc noopener noreferrer"
            dir="ltr"
            className="link font-normal link-primary"
          >
            {value}
            <span className="sr-only"> (opens in a new tab)</span>
          </a>
        ) : (
          <span dir="ltr" className="select-all">
            {way === "iban" ? value.replace(/.{4}(?=.)/g, "$& ") : value}
          </span>
        )}
      </Fact>
    </dl>
  );
}
