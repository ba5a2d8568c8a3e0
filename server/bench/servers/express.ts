/** An Express app, as it is out of the box, that responds with the same bytes to every request. */
import express from "express";
import { serveBare, setup } from "./child.ts";

const body = Buffer.from(setup.body ?? "");
const app = express();
app.get("/tasks", (_request, response) => {
  response.type("json").send(body);
});
serveBare(app);
