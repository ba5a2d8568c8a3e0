/** An Express app, as it is out of the box, that responds with the same bytes to every request. */
import type { AddressInfo } from "node:net";
import express from "express";
import { report, setup } from "./child.ts";

const body = Buffer.from(setup.body ?? "");
const app = express();
app.get("/tasks", (_request, response) => {
  response.type("json").send(body);
});
const server = app.listen(0, "127.0.0.1", () => report((server.address() as AddressInfo).port));
