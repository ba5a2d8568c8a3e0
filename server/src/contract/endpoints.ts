/*
 * The table of the whole API: each endpoint's access, input and responses. Routes are mounted from its rows
 * (`http/mount.ts`), the OpenAPI document is generated from it, tests check every response against it, and the fuzzer
 * reads it. Not part of `index.ts`: the browser needs only its types.
 */

import { agreementEndpoints } from "./agreement.ts";
import { bidEndpoints } from "./bid.ts";
import { conversationEndpoints } from "./conversation.ts";
import { deliveryEndpoints } from "./delivery.ts";
import { disputeEndpoints } from "./dispute.ts";
import type { Endpoint } from "./endpoint.ts";
import { fileEndpoints } from "./file.ts";
import { invoiceEndpoints } from "./invoice.ts";
import { myEndpoints } from "./me.ts";
import { operatorEndpoints } from "./operator.ts";
import { paymentEndpoints } from "./payment.ts";
import { peopleEndpoints } from "./profile.ts";
import { questionEndpoints } from "./question.ts";
import { reportEndpoints } from "./report.ts";
import { savedSearchEndpoints } from "./saved-search.ts";
import { savedTaskEndpoints } from "./saved-task.ts";
import { discoveryEndpoints, serviceEndpoints } from "./service.ts";
import { taskEndpoints } from "./task.ts";

const ENDPOINTS = {
  ...taskEndpoints,
  ...bidEndpoints,
  ...questionEndpoints,
  ...conversationEndpoints,
  ...agreementEndpoints,
  ...deliveryEndpoints,
  ...disputeEndpoints,
  ...paymentEndpoints,
  ...invoiceEndpoints,
  ...fileEndpoints,
  ...myEndpoints,
  ...savedTaskEndpoints,
  ...savedSearchEndpoints,
  ...peopleEndpoints,
  ...reportEndpoints,
  ...operatorEndpoints,
  ...serviceEndpoints,
  ...discoveryEndpoints,
};
export type EndpointName = keyof typeof ENDPOINTS;

/** The exact type of each row, by method and path (`GET /tasks/:id`). */
export type Endpoints = {
  [Name in EndpointName as `${(typeof ENDPOINTS)[Name]["method"]} ${(typeof ENDPOINTS)[Name]["path"]}`]: (typeof ENDPOINTS)[Name];
};

/** The table as a list, without the exact type of each row. */
export const ALL_ENDPOINTS: readonly (Endpoint & { name: EndpointName })[] = Object.values(ENDPOINTS);

/** First path segments of the API (`/tasks`): the web app serves nothing below them. */
export const API_ROOTS = [...new Set(ALL_ENDPOINTS.map(({ path }) => `/${path.split("/")[1]}`))];
