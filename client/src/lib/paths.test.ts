import { describe, expect, it } from "vitest";
import { paths, returnPath, withReturnPath } from "./paths.ts";

const back = (from: string) => returnPath(new URLSearchParams({ from }));

describe("returnPath", () => {
  it("When the requested page has a query, then both are restored", () => {
    const url = new URL(withReturnPath(paths.login, "/browsetask?search=a%26b&sort=asc"), "http://x");
    expect(returnPath(url.searchParams)).toBe("/browsetask?search=a%26b&sort=asc");
  });

  it("When no page was requested, then it is home", () => {
    expect(returnPath(new URLSearchParams())).toBe("/");
  });

  it.each([
    "https://evil.example/",
    "//evil.example",
    "/\\evil.example",
    "javascript:alert(1)",
    "/\t/evil.example",
    "/\t/evil.example/path",
    "/.//evil.example",
    "/x/..//evil.example/path",
    "/.\\\\evil.example",
    "evil",
  ])("When the URL would leave the app (%j), then it is home", (from) => {
    expect(back(from)).toBe("/");
  });

  it("When the login page itself was requested, then it is home, to avoid a loop", () => {
    expect(back("/auth/login?from=/dash/addtask")).toBe("/");
  });
});

it("When somebody has bookmarked a URL, then it still works", () => {
  const { person, ...rest } = paths;
  const urls = Object.entries(rest).map(([name, path]) => [
    name,
    typeof path === "string" ? path : path("t1"),
  ]);
  expect(Object.fromEntries(urls)).toEqual({
    home: "/",
    browse: "/browsetask",
    task: "/taskdetails/t1",
    contact: "/contact",
    about: "/about",
    terms: "/terms",
    privacy: "/privacy",
    login: "/auth/login",
    register: "/auth/register",
    forgotPassword: "/auth/forgot-password",
    dashboard: "/dash/dashboard",
    dashBrowse: "/dash/dashBrowseTask",
    addTask: "/dash/addtask",
    postAgain: "/dash/addtask?copy=t1",
    myTasks: "/dash/myposttask",
    receivedBids: "/dash/myposttask?bids=t1",
    receivedBidsAction: "/dash/bids/t1",
    myBids: "/dash/mybids",
    saved: "/dash/saved",
    notifications: "/dash/notifications",
    messages: "/dash/messages",
    conversation: "/dash/messages/t1",
    searches: "/dash/searches",
    settings: "/dash/settings",
    reports: "/dash/reports",
    operatorQueue: "/dash/reports/queue",
    operatorLog: "/dash/reports/log",
    review: "/taskdetails/t1/review",
    questionsAction: "/taskdetails/t1/questions",
    questions: "/dash/taskdetails/t1#questions",
    deliveryAction: "/taskdetails/t1/delivery",
    delivery: "/dash/taskdetails/t1#delivery",
    report: "/taskdetails/t1/report",
    updateTask: "/dash/updatetask/t1",
    dashTask: "/dash/taskdetails/t1",
    verification: "/dash/settings#verification",
    writeReview: "/dash/taskdetails/t1#review",
  });
  expect(person("a/b?c")).toBe("/people/a%2Fb%3Fc");
});

describe("the way back after logging in", () => {
  it("When home was requested, then nothing is remembered; any other page is, with its hash", () => {
    expect(withReturnPath(paths.login, "/")).toBe("/auth/login");
    expect(withReturnPath(paths.register, "/contact")).toBe("/auth/register?from=%2Fcontact");
    expect(back("/dash/taskdetails/t1?a=b#review")).toBe("/dash/taskdetails/t1?a=b#review");
    expect(back("/authors")).toBe("/authors");
  });

  it("When the URL cannot be parsed, then it is home", () => {
    expect([back("/\\x"), back("//"), back("/\t/["), back("/x:0//")]).toEqual(["/", "/", "/", "/x:0//"]);
  });
});
