import { endpoints } from "../endpoint.ts";
import { healthSchema, readinessSchema } from "../index.ts";

export const serviceEndpoints = endpoints("Service", {
  health: {
    method: "GET",
    path: "/health",
    summary: "Is the process alive?",
    access: "anyone",
    open: true,
    responses: [{ status: 200, schema: healthSchema }],
    errors: ["too-many-requests"],
  },
  readiness: {
    method: "GET",
    path: "/ready",
    summary: "Can requests be served?",
    access: "anyone",
    open: true,
    responses: [
      { status: 200, schema: readinessSchema, when: "Requests can be served" },
      {
        status: 503,
        schema: readinessSchema,
        when: "A request would be refused: the database cannot be written to, there is too much load, or this instance is starting or stopping",
      },
    ],
    errors: ["too-many-requests"],
  },
  describeApi: {
    method: "GET",
    path: "/openapi.json",
    summary: "This document",
    access: "anyone",
    open: true,
    responses: [{ status: 200, type: "application/openapi+json" }],
  },
  showApi: {
    method: "GET",
    path: "/api-docs",
    summary: "This document as a page",
    access: "anyone",
    open: true,
    responses: [{ status: 200, type: "text/html" }],
  },
  startApiPage: {
    method: "GET",
    path: "/api-docs/start.js",
    summary: "The script that starts that page",
    access: "anyone",
    open: true,
    responses: [{ status: 200, type: "text/javascript" }],
  },
});
