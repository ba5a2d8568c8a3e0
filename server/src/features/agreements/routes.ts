import type { Context } from "../../context.ts";
import { agreementEndpoints } from "../../contract/agreement.ts";
import { pdfOf } from "../../domain/pdf.ts";
import type { Api } from "../../http/mount.ts";
import { updated } from "../../http/problem.ts";
import { sendPdf } from "../../http/response-body.ts";
import { agreementCommands } from "./commands.ts";
import { agreementParts, presentAgreement } from "./rules.ts";
import { agreementStore } from "./store.ts";

/** What client and freelancer agreed on, as data and as a document, and its changes. */
export function agreementRoutes(api: Api, { database }: Context): void {
  const store = agreementStore(database);
  const commands = agreementCommands(database);

  api.mount(agreementEndpoints.readAgreement, async ({ params, user, now }) => {
    const { agreement, mayChange } = await store.read(params.id, user, now);
    return presentAgreement(agreement, mayChange);
  });

  api.mount(agreementEndpoints.agreementAsPdf, async ({ params, user, now, response }) => {
    const { agreement } = await store.read(params.id, user, now);
    const file = await pdfOf("Agreement", agreementParts(agreement), now);
    return sendPdf(response, `agreement ${params.id}`, file);
  });

  api.mount(agreementEndpoints.proposeChange, async ({ params, body, user, now }) =>
    updated(await commands.propose(params.id, user, body, now)),
  );

  api.mount(agreementEndpoints.answerProposal, async ({ params, body, user, now }) =>
    updated(await commands.answer(params.id, user, body, now)),
  );
}
