import { expect, it, vi } from "vitest";
import { generatedPhoto, requirePicture } from "./photo.ts";

const { origin } = window.location;

it.each([
  ["Fay Lance", "?initials=FL"],
  ["राम शर्मा", `?initials=${encodeURIComponent("रा")}`],
  ["🦊", ""],
  ["", ""],
])("When the name is %j, then the query of its picture is %j", (name, query) => {
  expect(generatedPhoto(name)).toBe(`${origin}/avatar.svg${query}`);
});

it("When a picture has not loaded after ten seconds, then it is too slow, and its host is not told where it is shown", async () => {
  vi.useFakeTimers();
  const decode = vi.spyOn(HTMLImageElement.prototype, "decode").mockReturnValue(new Promise(() => undefined));
  const refused = expect(requirePicture("https://pictures.example/slow.png")).rejects.toThrow(
    /takes too long/,
  );
  await vi.advanceTimersByTimeAsync(10_000);
  await refused;
  expect(decode.mock.contexts[0]).toMatchObject({
    src: "https://pictures.example/slow.png",
    referrerPolicy: "no-referrer",
  });
});
