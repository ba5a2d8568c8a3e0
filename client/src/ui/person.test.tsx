import { fireEvent, render } from "@testing-library/react";
import { expect, it } from "vitest";
import { Avatar, hueOf, initialsOf } from "./person.tsx";

it.each([
  ["Fay Lance", "FL"],
  ["fay", "F"],
  ["  Ana María de la Cruz ", "AC"],
  ["Ælfric øst", "ÆØ"],
  ["Жанна Дарк", "ЖД"],
  ["O'Neil (Ltd.)", "OL"],
  ["Team 7", "T"],
  ["e\u0301lan vital", "E\u0301V"],
  ["王 小明", "王"],
  ["محمد علي", "م"],
  ["राम शर्मा", "रा"],
  ["🦊 Fox", "F"],
  ["👩🏽‍🚀🚀", "👩🏽‍🚀"],
  ["!!!", "!"],
  ["", ""],
  [" \u00a0", ""],
])("When the name is %j, then its initials are %j", (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});

it("When there is no photo or it fails to load, then there are initials, or an icon if the name is empty", () => {
  const { container, rerender } = render(<Avatar name="Fay Lance" />);
  expect(container).toHaveTextContent("FL");
  rerender(<Avatar name="" />);
  expect(container.querySelector("svg")).toBeInTheDocument();
  rerender(<Avatar name="Fay Lance" src="https://photos.test/gone.jpg" />);
  const photo = container.querySelector("img") as HTMLImageElement;
  expect(container).not.toHaveTextContent("FL");
  fireEvent.error(photo);
  expect(container).toHaveTextContent("FL");
  rerender(<Avatar name="Fay Lance" src="https://photos.test/here.jpg" />);
  expect(container.querySelector("img")).toBeInTheDocument();
});

it("When there are many people, then a name always has the same hue, and all twelve hues are used", () => {
  expect(hueOf("Fay Lance")).toBe(hueOf(" Fay Lance "));
  const hues = Array.from({ length: 240 }, (_, person) => hueOf(`Client ${person}`));
  expect(new Set(hues).size).toBe(12);
});
