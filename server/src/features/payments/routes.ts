import type { Context } from "../../context.ts";
import { paymentEndpoints } from "../../contract/payment.ts";
import { ProblemError } from "../../domain/problem-error.ts";
import type { Api } from "../../http/mount.ts";
import { updated } from "../../http/problem.ts";
import { personStore } from "../people/store.ts";
import { paymentCommands } from "./commands.ts";
import { manualProvider } from "./provider.ts";
import { INVALID_DETAILS } from "./rules.ts";

/** How freelancers are paid, and the record of payments. */
export function paymentRoutes(api: Api, { database }: Context): void {
  const provider = manualProvider;
  const commands = paymentCommands(database, provider);
  const people = personStore(database);

  api.mount(paymentEndpoints.readPaymentDetails, ({ user }) => people.paymentDetails(user.uid));

  api.mount(paymentEndpoints.savePaymentDetails, async ({ body, user, now }) => {
    const details = provider.normalize(body);
    const detail = INVALID_DETAILS[body.way];
    if (!details) throw new ProblemError("invalid", { detail, errors: [{ pointer: "#/value", detail }] });
    await people.savePaymentDetails(user, details, now);
    return details;
  });

  api.mount(paymentEndpoints.markPaid, async ({ params, body, user, now }) =>
    updated(await commands.markPaid(params.id, user, body, now)),
  );

  api.mount(paymentEndpoints.confirmPayment, async ({ params, body, user, now }) =>
    updated(await commands.confirm(params.id, user, body, now)),
  );
}
