/*
 * The one table of the API: what can be called, by whom, with what, and what comes back. Routes are mounted from its rows
 * (`http/mount.ts`), the OpenAPI document is written from it, the tests check every response against it, and the fuzzer
 * reads its endpoints here.
 *
 * Not part of `index.ts`: the browser needs none of it.
 */
import type { Endpoint } from "./endpoint.ts";
import { bidEndpoints } from "./endpoints/bids.ts";
import { conversationEndpoints } from "./endpoints/conversations.ts";
import { deliveryEndpoints } from "./endpoints/delivery.ts";
import { myEndpoints } from "./endpoints/me.ts";
import { operatorEndpoints } from "./endpoints/operators.ts";
import { peopleEndpoints, reportEndpoints } from "./endpoints/people.ts";
import { questionEndpoints } from "./endpoints/questions.ts";
import { savedSearchEndpoints, savedTaskEndpoints } from "./endpoints/saved.ts";
import { discoveryEndpoints, serviceEndpoints } from "./endpoints/service.ts";
import { taskEndpoints } from "./endpoints/tasks.ts";

const ENDPOINTS = {
  ...taskEndpoints,
  ...bidEndpoints,
  ...questionEndpoints,
  ...conversationEndpoints,
  ...deliveryEndpoints,
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

/** The table without the exact type of each row, for those who go through all of it. */
export const ALL_ENDPOINTS: readonly (Endpoint & { name: EndpointName })[] = Object.values(ENDPOINTS);

/** First path segments of the API (`/tasks`): the web app never responds below them. */
export const API_ROOTS = [...new Set(ALL_ENDPOINTS.map(({ path }) => `/${path.split("/")[1]}`))];
