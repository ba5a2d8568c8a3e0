import type { Context } from "../../context.ts";
import { invoiceEndpoints } from "../../contract/invoice.ts";
import { pdfOf } from "../../domain/pdf.ts";
import type { Api } from "../../http/mount.ts";
import { sendPdf } from "../../http/response-body.ts";
import { invoiceParts, nameOf } from "./rules.ts";
import { invoiceStore } from "./store.ts";

/** Invoices and credit notes, as data and as documents. */
export function invoiceRoutes(api: Api, { database }: Context): void {
  const store = invoiceStore(database);

  api.mount(invoiceEndpoints.listInvoices, async ({ params, user }) => {
    const [found, latest] = await Promise.all([store.list(params.id, user), store.latest(user.uid)]);
    return {
      invoices: found.map(({ _id, number, credits, credited, total, milestone, due, createdAt }) => ({
        ...{ _id: _id.toHexString(), number, credits, credited, total, milestone, due },
        createdAt: createdAt.toISOString(),
      })),
      before: latest
        ? { from: latest.from, to: latest.to, taxRate: latest.taxRate, taxNote: latest.taxNote }
        : undefined,
    };
  });

  api.mount(invoiceEndpoints.writeInvoice, async ({ params, body, user, now }) => ({
    ...{ acknowledged: true, insertedId: await store.write(params.id, user, body, now) },
  }));

  api.mount(invoiceEndpoints.creditInvoice, async ({ params, user, now }) => ({
    ...{ acknowledged: true, insertedId: await store.credit(params.id, params.invoiceId, user, now) },
  }));

  api.mount(invoiceEndpoints.invoiceAsPdf, async ({ params, user, now, response }) => {
    const invoice = await store.read(params.id, params.invoiceId, user);
    const name = nameOf(invoice);
    return sendPdf(response, name, await pdfOf(name, invoiceParts(invoice), now));
  });
}
