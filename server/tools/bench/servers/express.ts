/** An Express app with default settings that sends the same bytes in every response. */
import express from "express";
import { listenAndReport, setup } from "./child.ts";

const body = Buffer.from(setup.body ?? "");
const app = express();
app.get("/tasks", (_request, response) => {
  response.type("json").send(body);
});
listenAndReport(app);
