import { readFile } from "node:fs/promises";
import { expect, OPERATOR, ORIGIN, placeBid, signIn, signUp, test } from "./fixtures.ts";
import { expectNotification, fillTaskForm, openAs, publishReview } from "./steps.ts";

/*
 * The whole life of a task, with a client and a freelancer on phones and an operator on a desktop. Component tests
 * cover the failures of each step; this test covers how the steps fit together.
 */
const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 800 };

/** A name that no other test uses. */
const PLACE = "Quayhaven";
const TITLE = `Draw the ferries of ${PLACE}`;

test("From a saved search to reviews: a client and a freelancer on phones, others who bid, and an operator", async ({
  page: client,
  newSession,
}) => {
  test.slow();
  const [clara, fay] = [await signUp("Clara Client"), await signUp("Fay Lance")];
  const freelancer = await newSession();
  for (const phone of [client, freelancer]) await phone.setViewportSize(PHONE);

  // The freelancer saves a search that nothing matches yet.
  await openAs(freelancer, fay, `/browsetask?search=${PLACE}`);
  await freelancer.getByRole("button", { name: "Save this search" }).click();
  const saving = freelancer.getByRole("dialog", { name: "Save this search" });
  await saving.getByLabel("Name").fill("Ferries");
  await saving.getByRole("button", { name: "Save search" }).click();
  await expect(saving.getByText("We’ll notify you of new tasks that match.")).toBeVisible();
  await saving.getByRole("button", { name: "Close" }).last().click();

  // The client posts a matching task, with a screening question and without her email address.
  await openAs(client, clara, "/dash/addtask");
  await fillTaskForm(client, TITLE);
  await client.getByLabel(/question/i).fill("Have you drawn ships before?");
  await client.getByLabel("Show my email to signed-in visitors").uncheck();
  await client.getByRole("button", { name: "Add Task", exact: true }).click();
  await expect(client.getByText("Your Add Task Successfully")).toBeVisible();
  const address = await client.getByRole("link", { name: "View task" }).getAttribute("href");
  const id = String(address?.split("/").at(-1));

  // The freelancer is notified, opens the task and asks a question.
  await expectNotification(freelancer, `New task for your search “Ferries”: “${TITLE}”.`, { follow: true });
  await expect(freelancer.getByRole("heading", { name: TITLE })).toBeVisible();
  await freelancer.getByRole("button", { name: "Ask a question" }).click();
  await freelancer.getByLabel("Your question").fill("With their crews?");
  await freelancer.getByRole("button", { name: "Send question" }).click();
  await expect(freelancer.getByText("With their crews?")).toBeVisible();
  await expectNotification(client, `Fay Lance asked a question on “${TITLE}”.`, { follow: true });
  await client.getByRole("button", { name: "Answer", exact: true }).click();
  await client.getByLabel("Your answer").fill("Empty, please.");
  await client.getByRole("button", { name: "Publish answer" }).click();
  await expect(freelancer.getByText("Empty, please.")).toBeVisible();

  // A bid is only sent with an answer to the screening question.
  await freelancer.getByRole("button", { name: "Bid Now" }).first().click();
  const answer = freelancer.getByLabel("Have you drawn ships before?");
  await freelancer.getByRole("button", { name: "Place bid" }).click();
  await expect(answer).toHaveAttribute("aria-invalid", "true");
  await answer.fill("Two hundred of them.");
  await freelancer.getByLabel("Message to the client").fill("I live at that quay.");
  await freelancer.getByRole("button", { name: "Place bid" }).click();
  await expect(freelancer.getByText("Your bid is in")).toBeVisible();

  // The client reads the bid. While she does, another arrives.
  await expectNotification(client, `Fay Lance bid $480 on “${TITLE}”.`, { follow: true });
  const bid = client.getByRole("main").getByRole("listitem").filter({ hasText: "Fay Lance" });
  await expect(bid.getByText("Two hundred of them.")).toBeVisible();
  const gus = await signUp("Gus Worker");
  await placeBid(gus, id, { amount: 390, days: 14, message: "Every lamp in its place.", answer: "No." });
  await expect(client.getByText("Every lamp in its place.")).toBeVisible();
  await expect(freelancer.getByText("Your Bid for: 2 opportunities")).toBeVisible();
  await expect(freelancer.getByText(clara.email)).toHaveCount(0);

  // She shortlists the first and messages the freelancer.
  await bid.getByRole("button", { name: "Shortlist Fay Lance" }).click();
  await bid.getByRole("button", { name: "Message Fay Lance" }).click();
  await client.getByRole("textbox", { name: "Message", exact: true }).fill("Could you show me one?");
  await client.getByRole("button", { name: "Send", exact: true }).click();
  await expect(client.getByRole("log").getByText("Could you show me one?")).toBeVisible();

  // The freelancer is notified and replies, and the client sees the message arrive.
  await expectNotification(freelancer, /was shortlisted/);
  await freelancer.getByRole("link", { name: "Messages, 1 unread" }).click();
  await freelancer.getByRole("link", { name: /Clara Client/ }).click();
  // Within the log, as the list of conversations also shows the last message.
  await expect(freelancer.getByRole("log").getByText("Could you show me one?")).toBeVisible();
  await freelancer
    .getByRole("textbox", { name: "Message", exact: true })
    .fill("See https://ships.example/fay");
  await freelancer.getByRole("button", { name: "Send", exact: true }).click();
  const link = client.getByRole("link", { name: "https://ships.example/fay" });
  await expect(link).toHaveAttribute("rel", "nofollow ugc noopener");

  // Meanwhile a spammer bids. The client reports the bid, and an operator suspends the account.
  const sal = await signUp("Sal Spammer");
  await placeBid(sal, id, { message: "Win a prize.", answer: "Win a prize." });
  await client.goto(`/dash/myposttask?bids=${id}`);
  await client.getByRole("button", { name: "Report Sal Spammer’s bid" }).click();
  const report = client.getByRole("dialog", { name: "Report Sal Spammer’s bid" });
  await report.getByLabel("Reason").selectOption("spam");
  await report.getByRole("button", { name: "Send report" }).click();
  await expect(report.getByText("An operator will look at it.")).toBeVisible();
  const operator = await newSession();
  await operator.setViewportSize(DESKTOP);
  await openAs(operator, await signIn(OPERATOR), "/dash/reports");
  const reported = operator.getByRole("listitem").filter({ hasText: TITLE });
  await reported.getByRole("button", { name: "Suspend account" }).click();
  const suspending = operator.getByRole("dialog", { name: "Suspend Sal Spammer?" });
  await suspending.getByRole("button", { name: "Suspend account" }).click();
  await expect(reported.getByRole("button", { name: "Lift suspension" })).toBeVisible();
  const rejected = await fetch(`${ORIGIN}/me`, { headers: { Authorization: `Bearer ${sal.token}` } });
  expect(await rejected.json()).toMatchObject({ status: 403, code: "account-suspended" });

  // The award: only now both see how to reach each other, and the others that they were not chosen.
  await client.goto(`/dash/myposttask?bids=${id}`);
  await bid.getByRole("button", { name: "Award to Fay Lance" }).click();
  await client.getByRole("button", { name: "Award for $480" }).click();
  await expect(bid.getByRole("status")).toContainText("Awarded");
  await bid.getByRole("link", { name: "Contact Fay Lance" }).click();
  await expect(client.getByRole("link", { name: fay.email })).toBeVisible();
  await expectNotification(freelancer, `You were hired for “${TITLE}”.`, { follow: true });
  await expect(freelancer.getByRole("link", { name: clara.email })).toBeVisible();
  const other = await newSession();
  await openAs(other, gus, `/taskdetails/${id}`);
  await expectNotification(other, /was not chosen/);
  await expect(other.getByRole("heading", { name: TITLE, level: 1 })).toBeVisible();
  await expect(other.getByRole("button", { name: "Bid Now" })).toHaveCount(0);
  for (const { email } of [clara, fay]) await expect(other.getByText(email)).toHaveCount(0);

  // The freelancer proposes another price, which the client accepts.
  await freelancer.getByRole("button", { name: "Propose a change" }).click();
  await freelancer.getByLabel("Price").fill("520");
  await freelancer.getByLabel("Changes to the scope (optional)").fill("The lighthouse, too.");
  await freelancer.getByRole("button", { name: "Propose", exact: true }).click();
  const agreement = client.getByRole("region", { name: "Agreement" });
  await agreement.getByRole("button", { name: "Accept" }).click();
  await expect(agreement.getByText("$520")).toBeVisible();
  await expect(freelancer.getByRole("region", { name: "Your job" }).getByText("$520")).toBeVisible();
  const [file] = await Promise.all([
    freelancer.waitForEvent("download"),
    freelancer.getByRole("button", { name: "Download as PDF" }).click(),
  ]);
  expect((await readFile(await file.path())).subarray(0, 5).toString()).toBe("%PDF-");

  // A delivery, one round of changes, and another delivery, which the client's page shows live.
  const deliver = async (note: string) => {
    await freelancer.getByLabel("Note").fill(note);
    await freelancer.getByLabel("Links (optional)").fill("files.example/ferries");
    await freelancer.getByRole("button", { name: "Deliver", exact: true }).click();
  };
  await deliver("Three ferries.");
  await expectNotification(client, `Fay Lance delivered the work on “${TITLE}”.`);
  const work = client.getByRole("region", { name: "The work is delivered" });
  await expect(work.getByRole("link", { name: "https://files.example/ferries" })).toBeVisible();
  await work.getByRole("button", { name: "Ask for changes" }).click();
  const changes = client.getByRole("dialog", { name: "Ask for changes" });
  await changes.getByLabel("What is missing?").fill("The fourth ferry.");
  await changes.getByRole("button", { name: "Ask for changes" }).click();
  await expect(freelancer.getByText("The fourth ferry.").first()).toBeVisible();
  await deliver("All four.");
  await expect(work.getByText("All four.")).toBeVisible();
  await work.getByRole("button", { name: "Mark as completed" }).click();
  await client.getByRole("button", { name: "Yes, it is completed" }).click();
  await expectNotification(freelancer, /marked as completed/);

  // Both sides review; the form is opened after the success message.
  await expect(client).toHaveURL(/#review$/);
  await publishReview(client, 5, "Ships as they are.");
  await publishReview(freelancer, 4, "Knows her ferries.");

  // The public profile shows the review, without an email address.
  const person = await client.getByRole("link", { name: /Fay Lance’s profile/ }).getAttribute("href");
  const visitor = await newSession();
  await visitor.goto(person ?? "");
  await expect(visitor.getByRole("heading", { name: "Fay Lance", level: 1 })).toBeVisible();
  await expect(visitor.getByText("Ships as they are.")).toBeVisible();
  await expect(visitor.getByText("5.0").first()).toBeVisible();
  await expect(visitor.locator("main")).not.toContainText("@example.com");
});
