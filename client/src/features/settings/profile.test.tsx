import type { OwnProfile } from "@tasklane/server/contract";
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { AuthFailure } from "../../auth/person.ts";
import { uploadedPhoto } from "../../auth/photo.ts";
import { ApiProblem, offlineProblem } from "../../lib/problem.ts";
import { aPerson, ID } from "../../testing/builders.ts";
import type { Call } from "../../testing/fake-api.ts";
import { createFakeFirebase } from "../../testing/fake-firebase.ts";
import { findEnabled } from "../../testing/find.ts";
import { openApp } from "../../testing/open-app.tsx";
import { uploads } from "../files/upload.tsx";

const SAVED: OwnProfile = {
  headline: "Boats",
  about: "Built 40.",
  skills: ["Joinery"],
  links: ["https://boats.example/"],
  languages: ["de"],
  version: 3,
};

/** Opens the settings of `person`, whose saved profile is `saved`. */
async function openSettings(saved: OwnProfile = SAVED, person = aPerson()) {
  const state = { saved };
  const app = openApp(
    "/dash/settings",
    {
      "GET /me/profile": () => state.saved,
      "GET /files/:id": {
        state: "ready",
        name: "fay.png",
        file: { _id: ID, name: "fay.png", size: 1, type: "image/png", picture: true },
      },
      "PUT /me/profile": ({ body, headers }: Call) => {
        if (headers?.["If-Match"] !== `"${state.saved.version}"`)
          throw new ApiProblem("changed-meanwhile", 412, "This was changed in the meantime.");
        state.saved = { ...(body as OwnProfile), version: state.saved.version + 1 };
        return state.saved;
      },
    },
    { person },
  );
  await screen.findByLabelText("Headline");
  const saveProfile = () => app.press("Save profile");
  /** Saves, which is refused. */
  const refused = async () => {
    await saveProfile();
    await screen.findByText(/was saved in the meantime/);
  };
  /** Appends text to a field, pasted in one go. */
  const append = async (label: string, text: string) => {
    await app.user.click(screen.getByLabelText(label));
    await app.user.paste(text);
  };
  return { ...app, state, saveProfile, refused, append };
}

const save = { name: "Save profile" };
const list = (name: string) => within(screen.getByRole("list", { name: `Chosen ${name.toLowerCase()}` }));

describe("the profile form", () => {
  it("When every field is changed, then name and photo are saved at the provider first, then the rest at its version", async () => {
    const { user, fill, asked, firebase, session, press, saveProfile, append } = await openSettings();
    const calls: string[] = [];
    const { updateUser } = firebase;
    firebase.updateUser = (profile) => {
      calls.push(`provider ${profile.displayName} ${profile.photoURL}`);
      return updateUser(profile);
    };
    await fill("Name", "Fay Married");
    await fill("Photo URL", "https://pictures.example/fay.png");
    await fill("Headline", "Bigger boats");
    await append("Skills", "Sails, Ropes");
    await user.keyboard("{Enter}");
    expect(list("Skills").getByText("Ropes")).toBeVisible();
    await press("Remove Joinery");
    expect(screen.getByLabelText("Skills")).toHaveFocus();
    await user.selectOptions(screen.getByLabelText("Working languages"), "Cantonese");
    await press("Add language");
    await append("Links", "ships.example");
    await user.keyboard("{Enter}");
    await saveProfile();
    await screen.findByText("Your profile is saved.");
    expect(calls).toEqual(["provider Fay Married https://pictures.example/fay.png"]);
    expect(session.getState().user).toMatchObject({ displayName: "Fay Married" });
    expect(asked("PUT /me/profile").at(-1)).toMatchObject({
      headers: { "If-Match": '"3"' },
      body: {
        headline: "Bigger boats",
        about: "Built 40.",
        skills: ["Sails", "Ropes"],
        links: ["https://boats.example/", "https://ships.example/"],
        languages: ["de", "yue"],
      },
    });
    // A second save uses the new version, and does not involve the provider.
    await findEnabled("Save profile");
    await fill("Headline", "Still bigger boats");
    await saveProfile();
    await waitFor(() =>
      expect(asked("PUT /me/profile").at(-1)?.headers).toMatchObject({ "If-Match": '"4"' }),
    );
    expect(calls).toHaveLength(1);
  });

  it("When items were typed but not added, then saving adds them to their lists, and the next save keeps them", async () => {
    const { user, state, saveProfile, append } = await openSettings();
    await append("Links", "ships.example");
    await append("Skills", "Sails, Ropes");
    await user.selectOptions(screen.getByLabelText("Working languages"), "Cantonese");
    await saveProfile();
    await screen.findByText("Your profile is saved.");
    const saved = {
      skills: ["Joinery", "Sails", "Ropes"],
      links: ["https://boats.example/", "https://ships.example/"],
      languages: ["de", "yue"],
    };
    expect(state.saved).toMatchObject(saved);
    for (const label of ["Links", "Skills", "Working languages"])
      expect(screen.getByLabelText(label)).toHaveValue("");
    expect(list("Links").getAllByRole("listitem")).toHaveLength(2);
    expect(list("Skills").getByText("Ropes")).toBeVisible();
    expect(list("Working languages").getByText("Cantonese")).toBeVisible();
    await append("Headline", "!");
    await user.click(await findEnabled(save.name));
    await waitFor(() => expect(state.saved).toMatchObject({ ...saved, headline: "Boats!" }));
  });

  it("When fields are invalid, then each shows its error, nothing is sent, and what was typed stays", async () => {
    const { user, writes, saveProfile, append } = await openSettings();
    await user.clear(screen.getByLabelText("Name"));
    await append("Photo URL", "http://pictures.example/fay.png");
    await append("Links", "http://boats.example");
    await user.keyboard("{Enter}");
    await append("Skills", "a,b,c,d,e,f,g,h,i,j");
    await user.keyboard("{Enter}");
    expect(screen.getByText("11 of 10")).toBeVisible();
    await saveProfile();
    await screen.findByText("Name is required.");
    expect(screen.getByLabelText("Name")).toHaveFocus();
    expect(screen.getByLabelText("Photo URL")).toHaveAccessibleDescription(/full https address of a picture/);
    expect(screen.getByLabelText("Links")).toHaveAccessibleDescription(/Enter a full https address/);
    expect(screen.getByLabelText("Skills")).toHaveAccessibleDescription(/at most 10 skills/);
    expect(list("Links").getByText("http://boats.example")).toBeVisible();
    expect(writes()).toEqual([]);
  });

  it("When the name is an email address, then the field says what others see instead, and it cannot be saved", async () => {
    const { writes, saveProfile } = await openSettings(SAVED, aPerson({ displayName: "fay@example.com" }));
    const name = screen.getByLabelText("Name");
    expect(name).toHaveAccessibleDescription(/^Others see “Unnamed member” instead/);
    await saveProfile();
    await screen.findByText("Everybody can read your name: leave out email addresses.");
    expect(writes()).toEqual([]);
  });

  it("When another tab has saved meanwhile, then the save is refused, and the other version can be shown or replaced", async () => {
    const { state, press, saveProfile, refused, append } = await openSettings();
    state.saved = { ...SAVED, headline: "From the other tab", version: 4 };
    await append("Headline", "!");
    await refused();
    expect(screen.getByLabelText("Headline")).toHaveValue("Boats!");
    expect(state.saved.headline).toBe("From the other tab");
    await press("show what is saved");
    expect(screen.getByLabelText("Headline")).toHaveValue("From the other tab");
    state.saved = { ...state.saved, version: 9 };
    await append("Headline", "?");
    await refused();
    await saveProfile();
    await waitFor(() => expect(state.saved).toMatchObject({ headline: "From the other tab?", version: 10 }));
  });

  it("When another tab has saved a new name, then the old one is not sent to the provider", async () => {
    const { state, firebase, refused, append } = await openSettings();
    await firebase.updateUser({ displayName: "Fay Married", photoURL: null });
    state.saved = { ...SAVED, version: 4 };
    await append("Headline", "!");
    await refused();
    expect(await firebase.refreshUser()).toMatchObject({ displayName: "Fay Married" });
  });

  it("When the profile was saved elsewhere since a draft was left, then the draft is labelled, and overwrites nothing unseen", async () => {
    const earlier = await openSettings();
    await earlier.append("Headline", "!");
    await earlier.append("Skills", "Sails");
    await earlier.user.keyboard("{Enter}");
    cleanup();
    const elsewhere = { ...SAVED, headline: "From the phone", version: 4 };
    const { state, press, refused } = await openSettings(elsewhere);
    expect(screen.getByText("This is the draft you left unsent.")).toBeVisible();
    expect(screen.getByLabelText("Headline")).toHaveValue("Boats!");
    expect(list("Skills").getByText("Sails")).toBeVisible();
    await refused();
    expect(state.saved).toEqual(elsewhere);
    await press("Discard draft");
    expect(screen.getByLabelText("Headline")).toHaveValue("From the phone");
    await waitFor(() => expect(screen.getByLabelText("Name")).toHaveFocus());
    expect(screen.queryByText("This is the draft you left unsent.")).toBeNull();
  });

  it("When the response to a save is lost and the form is changed, then the next save says so, and another one succeeds", async () => {
    const { server, state, saveProfile, refused, append } = await openSettings();
    server.loses = offlineProblem();
    await append("Headline", "!");
    await saveProfile();
    await screen.findByText(/We can't reach Tasklane/);
    server.loses = undefined;
    await append("Headline", "!");
    await refused();
    expect(state.saved.headline).toBe("Boats!");
    await saveProfile();
    await waitFor(() => expect(state.saved).toMatchObject({ headline: "Boats!!", version: 5 }));
  });

  it("When the provider refuses, then the rest is not sent either", async () => {
    const { writes, firebase, saveProfile, append } = await openSettings();
    firebase.updateUser = async () => {
      throw new AuthFailure("too-many-requests");
    };
    await append("Name", "!");
    await saveProfile();
    await screen.findByText(/Too many attempts/);
    expect(writes()).toEqual([]);
  });

  it("When the photo does not load, then the field says so", async () => {
    const { state, saveProfile, append } = await openSettings();
    const decode = vi.spyOn(HTMLImageElement.prototype, "decode").mockRejectedValue(new Error("404"));
    await append("Photo URL", "https://pictures.example/gone.png");
    expect(screen.getByText("Checking the picture…")).toBeVisible();
    fireEvent.error(document.querySelector("form img") as HTMLImageElement);
    expect(screen.getByText(/This picture does not load/)).toBeVisible();
    expect(document.querySelector("form img")).toBeNull();
    await saveProfile();
    await waitFor(() =>
      expect(screen.getByLabelText("Photo URL")).toHaveAccessibleDescription(/This picture does not load/),
    );
    expect(state.saved).toBe(SAVED);
    decode.mockRestore();
    await append("Photo URL", "x");
    expect(screen.queryByText(/This picture does not load/)).toBeNull();
    await saveProfile();
    await screen.findByText("Your profile is saved.");
  });
});

it.each([
  ["saved", "Bigger "],
  ["left, though saved before,", "Bigger "],
  ["left", "Bigger "],
  ["left", ""],
])(
  "When a picture is uploaded, and the form then %s after typing %j, then its draft keeps it",
  async (then, typed) => {
    vi.spyOn(uploads, "start").mockImplementation((_file, { onDone }) => {
      queueMicrotask(() => onDone(ID));
      return { cancel: vi.fn(), retry: vi.fn() };
    });
    const { user, append, saveProfile, goTo } = await openSettings();
    await append("Headline", typed);
    const isSavedBefore = then.includes("saved before");
    if (isSavedBefore) {
      await saveProfile();
      await screen.findByText("Your profile is saved.");
    }
    await user.upload(
      screen.getByLabelText(/Upload a picture/),
      new File(["x"], "fay.png", { type: "image/png" }),
    );
    await screen.findByText("Your photo is saved.");
    if (then === "saved") {
      await saveProfile();
      await screen.findByText("Your profile is saved.");
    }
    expect(screen.queryByText(/draft you left/)).toBeNull();
    if (then === "saved" || isSavedBefore || !typed) return expect(localStorage.length).toBe(0);
    // The address changes before the page is shown.
    await goTo("/");
    await waitFor(() => expect(screen.queryByLabelText("Headline")).toBeNull());
    await goTo("/dash/settings");
    await screen.findByText("This is the draft you left unsent.");
    expect(screen.getByLabelText("Photo URL")).toHaveValue(uploadedPhoto(ID));
  },
);

it("When the name is changed while a picture is uploaded, then the picture does not bring back the old one", async () => {
  const start = vi.spyOn(uploads, "start").mockReturnValue({ cancel: vi.fn(), retry: vi.fn() });
  const { user, append, saveProfile, session } = await openSettings();
  await user.upload(screen.getByLabelText(/Upload/), new File(["x"], "fay.png", { type: "image/png" }));
  await append("Name", " Married");
  await saveProfile();
  await screen.findByText("Your profile is saved.");
  start.mock.calls[0]?.[1].onDone(ID);
  await screen.findByText("Your photo is saved.");
  expect(session.getState().user).toMatchObject({
    displayName: "Fay Lance Married",
    photoURL: uploadedPhoto(ID),
  });
});

describe("a registration that failed after the account was created", () => {
  it("When name and photo could not be saved, then the user is directed to Settings, where they are restored", async () => {
    const firebase = createFakeFirebase();
    const { updateUser } = firebase;
    firebase.updateUser = async () => {
      throw new AuthFailure("network");
    };
    const { user, fill, press, router, writes, goTo } = openApp("/auth/register", {}, { firebase });
    for (const [label, text] of [
      ["Name", "Fay Lance"],
      ["Photo URL", "https://pictures.example/fay.png"],
      ["Email", "fay@example.com"],
      ["Password", "Secret1"],
    ] as const)
      await fill(label, text);
    await press("Sign Up");
    const link = await screen.findByRole("link", { name: "Save them in Settings" });
    expect(link).toHaveAttribute("href", "/dash/settings");
    firebase.updateUser = updateUser;
    await waitFor(() =>
      expect(router.state).toMatchObject({ location: { pathname: "/" }, navigation: { state: "idle" } }),
    );
    await goTo("/dash/settings");
    await screen.findByRole("heading", { name: "Settings", level: 1 });
    expect(screen.getByLabelText("Name")).toHaveValue("Fay Lance");
    await user.click(screen.getByRole("button", save));
    await waitFor(() => expect(writes().some(({ method }) => method === "PUT")).toBe(true));
    await waitFor(async () =>
      expect(await firebase.refreshUser()).toMatchObject({ displayName: "Fay Lance" }),
    );
  });
});
