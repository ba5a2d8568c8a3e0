import { expect, test } from "vitest";
import { ifMatch } from "./if-match.ts";

const versions = (header?: string) =>
  ifMatch({ headers: header === undefined ? {} : { "if-match": header } });

test("When there is no condition, or any version will do, then none is named", () => {
  expect(versions()).toBeUndefined();
  expect(versions(" * ")).toBeUndefined();
});

test("When tags are ours, then their versions count, whatever follows the dash", () => {
  expect(versions('"7"')).toEqual([7]);
  expect(versions('"7-abc_-gzip"')).toEqual([7]);
  expect(versions('"0" , "12-x,y"')).toEqual([0, 12]);
});

test("When tags are weak or not ours, then they match nothing", () => {
  expect(versions('W/"7", "abc", "", "7x", "-7", "99999999999999999999"')).toEqual([]);
});

test("When the header is no list of tags, then it is refused", () => {
  for (const header of ["7", '"7', '"7" "8"', '"a\u0001"', '"7",,"8"', "W/7", '*, "7"']) {
    expect(() => versions(header), header).toThrow("If-Match");
  }
});
