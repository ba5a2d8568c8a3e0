import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { toast } from "react-toastify/unstyled";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { AuthFailure } from "../auth/person.ts";
import { aPerson, aTask } from "../testing/builders.ts";
import { deferred } from "../testing/deferred.ts";
import { createFakeFirebase } from "../testing/fake-firebase.ts";
import { openApp, prepareApp } from "../testing/open-app.tsx";

/** Nobody is signed in, but Fay Lance has an account. */
function withAccount() {
  const firebase = createFakeFirebase();
  firebase.accounts.push({ ...aPerson(), password: "Secret1" });
  return firebase;
}

/** Fills in the login form and submits it. */
async function logIn({ user, fill }: ReturnType<typeof openApp>, password = "Secret1") {
  await fill("Email", "fay@example.com");
  await fill("Password", password);
  await user.keyboard("{Enter}");
}

describe("sign-in guard", () => {
  it("When a visitor opens a guarded page, then login remembers its path, query and hash, and nothing was requested", async () => {
    onTestFinished(() => window.history.replaceState(null, "", "/"));
    window.history.replaceState(null, "", "/dash/dashBrowseTask?sort=asc#more");
    const { router, server } = openApp("/dash/dashBrowseTask?sort=asc", {}, { person: null });
    await screen.findByRole("heading", { name: "Login now!" });
    const from = new URLSearchParams(router.state.location.search).get("from");
    expect(from).toBe("/dash/dashBrowseTask?sort=asc#more");
    expect(server.calls).toEqual([]);
  });

  it("When the login page is opened from a link with other parameters, then it promises no way back", async () => {
    for (const [search, promises] of [
      ["?utm_source=x", false],
      ["?from=/about", true],
    ] as const) {
      openApp(`/auth/login${search}`, {}, { person: null });
      await screen.findByText(
        promises ? /take you back/ : "Bid on tasks, post your own and keep track of both.",
      );
      cleanup();
    }
  });

  it("When a visitor opens the password reset page before logging in, then login still returns to the requested page", async () => {
    const app = openApp("/dash/addtask", {}, { firebase: withAccount() });
    await app.user.click(await screen.findByRole("link", { name: "Forgot password?" }));
    await app.user.click(await screen.findByRole("link", { name: "Back to login" }));
    await screen.findByRole("heading", { name: "Login now!" });
    await logIn(app);
    await app.isAt("/dash/addtask");
  });

  it("When a login fails and the next one succeeds, then the error and its toast are removed", async () => {
    const removed: unknown[] = [];
    const unsubscribe = toast.onChange(
      ({ status, content }) => status === "removed" && removed.push(content),
    );
    const app = openApp("/auth/login", {}, { firebase: withAccount() });
    await logIn(app, "Wrong11");
    const failure = "Incorrect Email and Password!";
    const reason = (await screen.findAllByText(failure)).find((text) => text.closest("form"));
    expect(reason?.closest("[tabindex]")).toHaveFocus();
    await logIn(app);
    await screen.findByText("Welcome back, Fay Lance");
    expect(removed).toEqual([failure]);
    expect(reason).not.toBeInTheDocument();
    unsubscribe();
  });

  it("When a login fails and the person logs in in another tab, then this tab redirects too", async () => {
    const firebase = withAccount();
    const app = openApp("/auth/login?from=/about", {}, { firebase });
    await logIn(app, "Wrong11");
    await screen.findAllByText("Incorrect Email and Password!");
    await act(() => firebase.signIn("fay@example.com", "Secret1"));
    await app.isAt("/about");
  });

  it("When somebody who came for a page presses Sign up in the top bar, then the URL still says for which, and so does Login there", async () => {
    const { user, isAt } = openApp("/auth/login?from=/about", {}, { person: null });
    await user.click(await screen.findByRole("link", { name: "Sign up" }));
    await isAt("/auth/register?from=/about");
    const [login] = screen.getAllByRole("link", { name: "Login" });
    expect(login).toHaveAttribute("href", "/auth/login?from=/about");
  });

  it("When somebody has logged in, then the welcome message is shown for 1500 ms before the page changes", async () => {
    const firebase = withAccount();
    const { fill, router } = openApp("/auth/login?from=/about", {}, { firebase });
    await fill("Email", "fay@example.com");
    await fill("Password", "Secret1");
    // Wait for the toast's code, which is loaded lazily.
    await waitFor(() => expect(document.querySelector(".Toastify")).not.toBeNull());
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    fireEvent.click(screen.getByRole("button", { name: "Login" }));
    await vi.waitFor(() => screen.getByText("Welcome back, Fay Lance"), { interval: 1, timeout: 20_000 });
    // The next page's code may still be loading.
    const target = () => (router.state.navigation.location ?? router.state.location).pathname;
    await act(() => vi.advanceTimersByTimeAsync(1_400));
    expect(target()).toBe("/auth/login");
    await act(() => vi.advanceTimersByTimeAsync(100));
    expect(target()).toBe("/about");
  });

  it("When a password is rejected, a login fails or Google login succeeds, then a toast has the specified position and duration", async () => {
    const firebase = createFakeFirebase();
    const app = openApp("/auth/register", {}, { firebase });
    /** Position and duration of the toast with this text. */
    const toastOf = async (text: RegExp) => {
      const toasts = () => [...document.querySelectorAll(".Toastify__toast")];
      const toast = await waitFor(() => {
        const [found] = toasts().filter(({ textContent }) => text.test(textContent ?? ""));
        if (!found) throw new Error(`No toast says ${text}.`);
        return found;
      });
      const bar = toast.querySelector<HTMLElement>(".Toastify__progress-bar--animated");
      const [, position] = /container--(\S+)/.exec(toast.parentElement?.className ?? "") ?? [];
      return [position, bar?.style.animationDuration];
    };
    await app.user.type(await screen.findByLabelText("Password"), "weak{Enter}");
    expect(await toastOf(/Password/)).toEqual(["top-center", "4000ms"]);
    expect(firebase.accounts).toEqual([]);
    await app.goTo("/auth/login");
    await logIn(app, "Wrong11");
    expect(await toastOf(/Incorrect/)).toEqual(["top-right", "5000ms"]);
    firebase.signInWithGoogle = () => firebase.createUser("fay@example.com", "Secret1");
    await app.press("Login with Google");
    expect(await toastOf(/Google Login Successfully!/)).toEqual(["top-right", "5000ms"]);
  });

  it("When somebody logs in in another tab while Google's window is open here, then closing the window leads on", async () => {
    const firebase = createFakeFirebase();
    const { promise: closed, resolve: close } = deferred();
    firebase.signInWithGoogle = () =>
      closed.then(() => {
        throw new AuthFailure("popup-closed");
      });
    const { press, address, isAt } = openApp("/auth/login", {}, { firebase });
    await press("Login with Google");
    await act(() => firebase.createUser("fay@example.com", "Secret1"));
    expect(address()).toBe("/auth/login");
    close();
    await isAt("/");
  });

  it("When the person signs out in another tab between the guard and the first render, then it still redirects to login", async () => {
    const { router, firebase, mount } = prepareApp("/dash/addtask");
    await waitFor(() => expect(router.state.initialized).toBe(true));
    await firebase.signOut();
    mount();
    await screen.findByRole("heading", { name: "Login now!" });
    expect(router.state.location.search).toContain("addtask");
  });

  it("When somebody else signs in in another tab between the guard and the first render, then the page is loaded for them", async () => {
    let title = "For Ann";
    const handlers = { "GET /tasks": () => [aTask({ title })] };
    const { router, firebase, mount } = prepareApp("/dash/dashBrowseTask", handlers);
    await waitFor(() => expect(router.state.initialized).toBe(true));
    title = "For Bob";
    await firebase.createUser("bob@example.com", "Secret1");
    mount();
    await screen.findByText("For Bob");
    expect(screen.queryByText("For Ann")).toBeNull();
  });
});

describe("register", () => {
  function openRegister(firebase = createFakeFirebase()) {
    const app = openApp("/auth/register", {}, { firebase });
    const fillIn = async (password: string) => {
      await app.fill("Name", "Nia New");
      await app.fill("Email", "nia@example.com");
      await app.fill("Password", password);
    };
    const signUp = async () => {
      await fillIn("Password1");
      await app.press("Sign Up");
    };
    return { ...app, fillIn, signUp };
  }

  it("When the page is reloaded while it is filled in, then everything except the password is restored, in this tab only", async () => {
    const { fillIn } = openRegister();
    await fillIn("Secret1");
    cleanup();
    openRegister();
    expect(await screen.findByLabelText("Name")).toHaveValue("Nia New");
    expect(screen.getByLabelText("Email")).toHaveValue("nia@example.com");
    expect(screen.getByLabelText("Password")).toHaveValue("");
    expect(JSON.stringify([{ ...localStorage }, { ...sessionStorage }])).not.toContain("Secret1");
    expect(Object.keys(localStorage)).toEqual([]);
  });

  it("When Sign Up is pressed again while the success message is shown, then nothing is sent again", async () => {
    const { user, isAt, firebase, signUp } = openRegister();
    const createUser = vi.spyOn(firebase, "createUser");
    await signUp();
    await screen.findByText("Register Successfully!");
    await user.type(screen.getByLabelText("Password"), "{Enter}");
    await isAt("/");
    expect(createUser).toHaveBeenCalledOnce();
  });

  it("When no photo is given, then it is a picture of the name's initials, until another one replaces it", async () => {
    const { user, fill, session, signUp } = openRegister();
    const photo = await screen.findByLabelText("Photo URL");
    const { origin } = window.location;
    expect(photo).toHaveValue(`${origin}/avatar.svg`);
    await fill("Name", "Nia Ünlü");
    expect(photo).toHaveValue(`${origin}/avatar.svg?initials=N%C3%9C`);
    await user.type(photo, "https://example.com/nia.jpg");
    await user.type(screen.getByLabelText("Name"), " Öz");
    expect(photo).toHaveValue("https://example.com/nia.jpg");
    await user.clear(photo);
    expect(photo).toHaveValue("");
    await user.clear(screen.getByLabelText("Name"));
    expect(photo).toHaveValue(`${origin}/avatar.svg`);
    await signUp();
    await screen.findByText("Register Successfully!");
    expect(session.getState().user).toMatchObject({ photoURL: `${origin}/avatar.svg?initials=NN` });
  });

  it("When the photo does not load, then its field says so, and no account is created", async () => {
    vi.spyOn(HTMLImageElement.prototype, "decode").mockRejectedValue(new Error("404"));
    const { fill, firebase, signUp } = openRegister();
    await fill("Photo URL", "https://example.com/gone.jpg");
    await signUp();
    await waitFor(() =>
      expect(screen.getByLabelText("Photo URL")).toHaveAccessibleDescription(/This picture does not load/),
    );
    expect(screen.getByLabelText("Photo URL")).toHaveFocus();
    expect(firebase.accounts).toEqual([]);
  });

  it("When the email is taken, then the email field says so", async () => {
    const firebase = createFakeFirebase();
    await firebase.createUser("nia@example.com", "Other1");
    await firebase.signOut();
    await openRegister(firebase).signUp();
    await waitFor(() =>
      expect(screen.getByLabelText("Email")).toHaveAccessibleDescription(
        /already an account with this email/,
      ),
    );
  });
});
