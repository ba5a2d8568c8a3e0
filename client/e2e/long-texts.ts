import type { Agreement } from "@tasklane/server/contract";
import {
  askQuestion,
  awardTask,
  callApi,
  deliverWork,
  firstBid,
  newAccount,
  OPERATOR,
  openConversation,
  type Person,
  placeBid,
  postTask,
  signIn,
  signUp,
} from "./fixtures.ts";
import { ARABIC, LINK, TEXT, TITLES, WORD } from "./overflow.ts";
import { ME } from "./screens.ts";

/**
 * Chris has two plain tasks, the second with a conversation, and everything else with extremely long texts.
 * @returns Chris, and ids: for the path parameters of screens.ts, and those of the long documents.
 */
export async function postLongTexts(): Promise<{ me: Person; ids: Record<string, string> }> {
  const nameOfFay = `${"فاي".repeat(8)} <b src="x"> ${"W".repeat(40)}`;
  const [client, freelancer, plain] = await Promise.all([
    signUp(ME, newAccount("Chris Checklist")),
    signUp(nameOfFay, newAccount("Fay Lance")),
    signUp("Fay Lance"),
  ]);
  const post = (person: Person, title: string) =>
    postTask(person, {
      title,
      description: TEXT,
      budget: 999_999.99,
      skills: [WORD.slice(0, 40), ...TITLES.slice(2).map((skill) => skill.slice(0, 30).trim())],
      screeningQuestion: `${WORD}?`,
    });
  const [done = "", open = ""] = await Promise.all(TITLES.map((title) => post(client, title)));
  const others = await post(freelancer, TITLES[0] ?? "");
  const offer = { amount: 999_999.99, days: 365, message: TEXT, answer: TEXT };
  await Promise.all([
    placeBid(freelancer, done, offer),
    placeBid(freelancer, open, offer),
    placeBid(client, others, offer),
  ]);
  const hired = await post(freelancer, TITLES[1] ?? "");
  await placeBid(client, hired, offer);
  const work = { note: TEXT.slice(0, 2_000).trim(), links: [LINK, "https://a.example/"] };
  await deliverWork(done, { client, freelancer }, work);
  await callApi(client, "POST", `/tasks/${done}/changes`, { reason: WORD.repeat(5) });
  await callApi(freelancer, "POST", `/tasks/${done}/deliveries`, work);
  await callApi(client, "PATCH", `/tasks/${done}/state`, { state: "completed" });
  await awardTask(hired, freelancer);
  const due = "2099-06-01";
  const milestones = [WORD, WORD].map((name) => ({ name, amount: 500, due }));
  const proposal = `/tasks/${hired}/agreement/proposal`;
  await callApi(freelancer, "PUT", proposal, { amount: 1_000, due, scope: TEXT.slice(0, 2_000), milestones });
  const agreement = await callApi<Agreement>(client, "GET", `/tasks/${hired}/agreement`);
  await callApi(client, "PATCH", proposal, { proposalId: agreement.proposal?._id, accepted: true });
  await callApi(client, "POST", `/tasks/${hired}/deliveries`, work);
  await callApi(freelancer, "PATCH", `/tasks/${hired}/state`, { state: "completed" });
  await callApi(freelancer, "PUT", `/tasks/${hired}/ending`, { share: 500, reason: WORD.repeat(5) });
  const delivered = await post(client, TITLES[0] ?? "");
  await placeBid(freelancer, delivered, offer);
  await deliverWork(delivered, { client, freelancer }, work);
  await callApi(client, "PUT", `/me/saved/${others}`);
  const bid = await firstBid(client, done);
  const { insertedId: long } = await callApi<{ insertedId: string }>(client, "POST", `${bid}/conversation`);
  for (const person of [client, freelancer])
    await callApi(person, "POST", `/me/conversations/${long}/messages`, { text: TEXT });
  await callApi(freelancer, "POST", `/tasks/${done}/reviews`, { stars: 5, text: TEXT });
  await callApi(client, "POST", `/tasks/${done}/reviews`, { stars: 1, text: TEXT });
  await callApi(freelancer, "POST", "/reports", { taskId: open, reason: "spam", text: TEXT });
  const texts = { question: TEXT.slice(0, 450).trim(), answer: TEXT };
  const questionId = await askQuestion(open, { asker: freelancer, client }, texts);
  await callApi(freelancer, "POST", `/tasks/${open}/questions`, { text: WORD.repeat(5) });
  await callApi(freelancer, "POST", "/reports", { taskId: open, questionId, reason: "spam" });
  await callApi(client, "POST", "/me/searches", {
    name: "W".repeat(60),
    search: "W".repeat(120),
    category: "Web Development",
    mail: "never",
    minBudget: "99999.99",
    maxBudget: "999999.99",
  });
  await callApi(client, "PUT", "/me/profile", {
    headline: `${WORD} ${ARABIC}`.slice(0, 120),
    about: TEXT,
    skills: [...TITLES.map((title) => title.slice(0, 30).trim()), WORD.slice(0, 40)],
    links: [LINK.slice(0, 300), "https://a.example"],
    languages: ["de", "ar", "yue"],
  });
  const { id: person } = await callApi<{ id: string }>(client, "GET", "/me");
  const id = await postTask(client, {
    title: "Checklist task",
    category: "Writing",
    deadline: "2099-06-01",
    budget: 99.9,
  });
  const talked = await postTask(client, { title: "Task with a conversation" });
  await placeBid(plain, talked, { amount: 300 });
  const path = await openConversation(client, talked);
  await callApi(client, "POST", `${path}/messages`, { text: "Is https://example.com yours?" });
  const conversation = path.split("/").at(-1) ?? "";
  const hidden = await post(client, TITLES[0] ?? "");
  const hiding = { hidden: true, reason: "spam", text: TEXT.slice(0, 450).trim() };
  await callApi(await signIn(OPERATOR), "PATCH", `/tasks/${hidden}/visibility`, hiding);
  return {
    me: client,
    ids: { id, person, conversation, done, open, delivered, others, hired, long, hidden },
  };
}
