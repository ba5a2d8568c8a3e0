import { expect, logIn, postTaskByApi, signUpByApi, somebody, test } from "./fixtures.ts";

test("When a freelancer bids, then the count rises once, and a second try says so kindly", async ({
  page,
  baseURL,
}) => {
  const client = await signUpByApi(baseURL ?? "", somebody("Clara Client"));
  const id = await postTaskByApi(baseURL ?? "", client.token, { title: "Cover with a fox" });
  const fay = somebody("Fay Lance");
  await signUpByApi(baseURL ?? "", fay);

  await page.goto(`/taskdetails/${id}`);
  await logIn(page, fay);
  await expect(page).toHaveURL(`/taskdetails/${id}`);
  await expect(page.getByRole("heading", { name: "Cover with a fox", level: 1 })).toBeVisible();
  await expect(page.getByText("May 20, 2099")).toBeVisible();
  await expect(page.getByText("Clara Client")).toBeVisible();
  await expect(page.getByRole("link", { name: /clara\.client/ })).toBeVisible();

  await expect(page.getByText("Your Bid for: 0 opportunities")).toBeVisible();
  await page.getByRole("button", { name: "Bid Now" }).click();
  await expect(page.getByText("Your Bid for: 1 opportunities")).toBeVisible();
  await expect(page.getByText("Your bid is in")).toBeVisible();

  await page.getByRole("button", { name: "Bid Now" }).click();
  await expect(
    page.getByText("You have already bid on this task. One bid per task is enough."),
  ).toBeVisible();
  await expect(page.getByText("Your Bid for: 1 opportunities")).toBeVisible();

  await page.reload();
  await expect(page.getByText("Your Bid for: 1 opportunities")).toBeVisible();
  await expect(page.getByText("You have bid on this task.")).toBeVisible();
});

test("When the task is one's own or its deadline has passed, then there is no bid button", async ({
  page,
  baseURL,
}) => {
  const clara = somebody("Clara Client");
  const { token } = await signUpByApi(baseURL ?? "", clara);
  const own = await postTaskByApi(baseURL ?? "", token);
  await page.goto(`/taskdetails/${own}`);
  await logIn(page, clara);
  await expect(page.getByText("This is your own task.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Bid Now" })).toHaveCount(0);

  // The demo data has tasks whose deadline has passed.
  await page.goto("/dash/dashBrowseTask?sort=asc");
  await page
    .getByRole("row")
    .filter({ hasText: "Expired" })
    .first()
    .getByRole("link", { name: /See more/ })
    .click();
  await expect(page.getByText("The deadline of this task has passed")).toBeVisible();
  await expect(page.getByRole("button", { name: "Bid Now" })).toHaveCount(0);
});
