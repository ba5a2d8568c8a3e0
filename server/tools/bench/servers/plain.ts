/** The same API in the style of tutorials: Express, cors, one query per route, all results in one array. */
import cors from "cors";
import express from "express";
import { MongoClient, ObjectId } from "mongodb";
import { calendarDate } from "../../../src/contract/index.ts";
import { listenAndReport, setup } from "./child.ts";

const client = await MongoClient.connect(setup.uri);
const tasks = client.db(setup.dbName).collection("tasks");
const app = express();
app.use(cors());
app.use(express.json());

app.get("/tasks", async (request, response) => {
  const { search, category } = request.query;
  const filter = {
    ...(category && { category: String(category) }),
    ...(search && { title: { $regex: String(search), $options: "i" } }),
  };
  response.send(await tasks.find(filter).sort({ deadline: 1 }).toArray());
});

app.get("/tasks/featuretasks", async (_request, response) => {
  const open = { deadline: { $gte: calendarDate(new Date()) } };
  response.send(await tasks.find(open).sort({ bidsCount: -1 }).limit(6).toArray());
});

app.get("/tasks/:id", async (request, response) => {
  response.send(await tasks.findOne({ _id: new ObjectId(request.params.id) }));
});

app.patch("/tasks/:id/bid", async (request, response) => {
  response.send(await tasks.updateOne({ _id: new ObjectId(request.params.id) }, { $inc: { bidsCount: 1 } }));
});

listenAndReport(app);
