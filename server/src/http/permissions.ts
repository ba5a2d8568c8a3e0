import type { RequestHandler } from "express";
import { userOf } from "./authenticate.ts";
import { findEndpoint } from "./find-endpoint.ts";
import { ProblemError } from "./problem-error.ts";
import { routeNotFound } from "./problem-handler.ts";

/**
 * Holds every request to the table of endpoints: what the table does not name does not exist, whatever routes there are,
 * and who must be signed in or an operator is. Whose task it is only the stores can tell, in the filter of the write
 * itself; a test walks the table with everybody against everything. Stands behind `authenticate`.
 * @throws {ProblemError} `route-not-found`, `not-signed-in` or `not-an-operator`.
 */
export const permissions: RequestHandler = (request, response, next) => {
  const endpoint = findEndpoint(request.method, request.baseUrl + request.path);
  if (!endpoint) return routeNotFound(request, response, next);
  if (endpoint.who !== "anyone") {
    const { isOperator } = userOf(response);
    if (endpoint.who === "operator" && !isOperator) throw new ProblemError("not-an-operator");
  }
  next();
};
