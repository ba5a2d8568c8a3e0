import type { RequestHandler } from "express";
import { userOf } from "../../http/authenticate.ts";
import { ProblemError } from "../../http/problem-error.ts";

/** Lets operators through (custom claim `admin`); others get `not-an-operator` (403), strangers `not-signed-in` (401). */
export const requireOperator: RequestHandler = (_request, response, next) => {
  if (!userOf(response).isOperator) throw new ProblemError("not-an-operator");
  next();
};
