import { queryOptions } from "@tanstack/react-query";
import type { PaymentWay, Task } from "@tasklane/server/contract";
import type { Api } from "../../lib/api.ts";

/** How the signed-in user is paid. */
export function paymentDetailsQuery(api: Api) {
  return queryOptions({
    queryKey: ["me", "payment-details"],
    queryFn: async () => (await api.call("GET /me/payment-details", {})).data,
  });
}

export const WAY_NAMES: Record<PaymentWay, string> = {
  iban: "Bank transfer (IBAN)",
  paypal: "PayPal",
  wise: "Wise",
  link: "Another page",
};

/** Whether the client has yet to pay for a completed task or an accepted milestone, or to pay again. */
export function isUnpaid({ agreed, otherSideLeft }: Pick<Task, "agreed" | "otherSideLeft">): boolean {
  const dues = agreed?.milestones?.slice(0, agreed.accepted) ?? (agreed ? [agreed] : []);
  return !otherSideLeft && dues.some(({ payment }) => !payment || payment.state === "missing");
}
