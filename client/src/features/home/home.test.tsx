import { act, render, screen, within } from "@testing-library/react";
import type Swiper from "swiper";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { offlineProblem } from "../../lib/problem.ts";
import { aPerson, aTask } from "../../testing/builders.ts";
import { createServer, openApp } from "../../testing/open-app.tsx";
import { Typewriter } from "./motion.tsx";

async function renderHome() {
  const { press } = openApp(
    "/",
    { "GET /tasks/featuretasks": [aTask({ title: "A fox" })] },
    { person: null },
  );
  await screen.findByRole("heading", { name: "A fox" });
  return press;
}

const region = (name: string) => within(screen.getByRole("region", { name }));

describe("home", () => {
  it("When the slides are shown, then each has its title, and its button leads on", async () => {
    await renderHome();
    const slider = region("What you can do here");
    for (const [title, button, link] of [
      ["Hire Experts for Any Task", "Get Started", "/addtask"],
      ["Freelance Work Made Easy", "Explore Tasks", "/browsetask"],
      ["Stay on Deadline, Always", "My Posted Tasks", "/myposttask"],
    ] as const) {
      expect(slider.getByRole("heading", { name: title })).toBeInTheDocument();
      expect(slider.getByRole("link", { name: button })).toHaveAttribute("href", link);
    }
  });

  it("When Swiper has not loaded yet, then the first slide is accessible and the others are inert", async () => {
    await renderHome();
    const slides = [
      ...screen.getByRole("region", { name: "What you can do here" }).querySelectorAll(".swiper-slide"),
    ];
    expect(slides.map((slide) => slide.hasAttribute("inert"))).toEqual([false, true, true]);
  });

  it.each([
    [null, "/auth/register", "Create your account", "link", "Login"],
    ["u1", "/dash/addtask", "Add Task", "button", /account/i],
  ] as const)("When %s wants to get started, then %s opens", async (uid, path, heading, role, name) => {
    const handlers = { "GET /tasks/featuretasks": [] };
    const { user, address } = openApp("/", handlers, { person: uid ? aPerson({ uid }) : null });
    const link = await screen.findByRole("link", { name: "Get Started" });
    expect(link).toHaveAttribute("href", "/addtask");
    await screen.findByRole(role, { name });
    await user.click(link);
    await screen.findByRole("heading", { name: heading, level: 1 });
    expect(address()).toContain(path);
  });

  it("When the categories are shown, then those that tasks have lead to them, and the others say that they are missing", async () => {
    await renderHome();
    const section = region("Empower Your Freelance Journey.");
    expect(section.getAllByRole("img")).toHaveLength(6);
    expect(section.getByRole("link", { name: "Web Development" })).toHaveAttribute(
      "href",
      "/browsetask?category=Web+Development",
    );
    expect(section.getAllByRole("link")).toHaveLength(4);
    expect(section.getAllByText("Not yet on Tasklane")).toHaveLength(2);
  });

  it("When the featured tasks do not load, then the rest of the page is there, and they load on request", async () => {
    const server = createServer({ "GET /tasks/featuretasks": [aTask({ title: "A fox" })] });
    server.fails.reads = offlineProblem();
    const { press } = openApp("/", {}, { person: null, server });
    await screen.findByText("The featured tasks did not load");
    expect(screen.getByRole("link", { name: "Get Started" })).toBeVisible();
    server.fails.reads = undefined;
    await press("Try again");
    await screen.findByRole("heading", { name: "A fox" });
  });
});

it("When reduced motion is preferred, then everything starts paused", async () => {
  const still = { matches: true, addEventListener() {}, removeEventListener() {} };
  vi.spyOn(window, "matchMedia").mockReturnValue(still as unknown as MediaQueryList);
  await renderHome();
  expect(screen.getAllByRole("button", { name: /^Play the/ })).toHaveLength(3);
});

describe("what moves and is in view", () => {
  beforeEach(() => {
    const { IntersectionObserver } = globalThis;
    vi.stubGlobal("IntersectionObserver", EverythingInView);
    return () => vi.stubGlobal("IntersectionObserver", IntersectionObserver);
  });

  it.each([
    ["What you can do here", 3000, "slides"],
    ["Empower Your Freelance Journey.", 2500, "categories"],
  ])(
    "When '%s' is in view, then it advances every %d ms until it is paused, and again once it is played",
    async (name, delay, slides) => {
      const press = await renderHome();
      const section = screen.getByRole("region", { name });
      const engine = await vi.waitFor(() => engineOf(section), { timeout: 20_000 });
      expect(engine.params.autoplay).toMatchObject({ delay, disableOnInteraction: false });
      await vi.waitFor(() => expect(engine.autoplay.running).toBe(true), { timeout: 20_000 });
      await press(`Pause the ${slides}`);
      expect(engine.autoplay.running).toBe(false);
      await press(`Play the ${slides}`);
      expect(engine.autoplay.running).toBe(true);
    },
  );

  it("When a headline is being typed, then only a caret moves: its text is complete from the start", async () => {
    const press = await renderHome();
    const heading = screen.getByRole("heading", { name: "We Love Our Client Feedback." });
    const typed = () => heading.querySelector<HTMLElement>("[aria-hidden]")?.dataset["typed"];
    await vi.waitFor(() => expect(typed()).toMatch(/^We Lo/), { timeout: 20_000 });
    expect(heading.textContent).toBe("We Love Our Client Feedback.");
    expect(heading).toHaveAccessibleName("We Love Our Client Feedback.");
    await press("Pause the typing");
    expect(heading.innerHTML).toBe("We Love Our Client Feedback.");
    await press("Play the typing");
    // There is no caret while it is paused.
    expect(typed()).toBeDefined();
  });
});

it("When a headline is typed, then each letter takes 70 ms, and 50 ms to be deleted", async () => {
  await import("react-simple-typewriter");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { container } = render(<Typewriter text="Go on" playing />);
  const typed = () => container.querySelector<HTMLElement>("[data-typed]")?.dataset["typed"];
  await vi.waitFor(() => expect(typed()).toBe(""), { interval: 1, timeout: 20_000 });
  /** The milliseconds between the next `letters` changes of the typed text. */
  const intervals = async (letters: number) => {
    const measured: number[] = [];
    for (let ms = 1, before = typed(); measured.length < letters; ms++) {
      await act(() => vi.advanceTimersByTime(1));
      if (typed() === before) continue;
      measured.push(ms);
      [ms, before] = [0, typed()];
    }
    return measured;
  };
  // The first change in each direction comes after a pause.
  await intervals(1);
  expect(await intervals(4)).toEqual([70, 70, 70, 70]);
  await intervals(1);
  expect(await intervals(4)).toEqual([50, 50, 50, 50]);
});

it("When a testimonial is shown, then its rating is given in words", async () => {
  await renderHome();
  const feedback = region("We Love Our Client Feedback.").getAllByRole("figure");
  const rated = feedback.map((figure) => /Rated . out of 5/.exec(figure.textContent ?? "")?.[0]);
  expect(rated).toEqual(["Rated 3 out of 5", "Rated 4 out of 5", "Rated 5 out of 5"]);
});

/** The Swiper instance of a section, which Swiper stores on its element. */
function engineOf(section: HTMLElement): Swiper {
  const { swiper } = section.querySelector(".swiper") as HTMLElement & { swiper?: Swiper };
  if (!swiper) throw new Error("Swiper has not started.");
  return swiper;
}

/** An IntersectionObserver for which every element is on the screen. */
class EverythingInView {
  callback: IntersectionObserverCallback;
  constructor(callback: IntersectionObserverCallback) {
    this.callback = callback;
  }
  observe(target: Element) {
    const entry = { isIntersecting: true, target } as IntersectionObserverEntry;
    queueMicrotask(() => this.callback([entry], this as unknown as IntersectionObserver));
  }
  disconnect() {}
}
