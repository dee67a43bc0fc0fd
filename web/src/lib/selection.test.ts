import { expect, test } from "bun:test";
import { Selection } from "./selection.ts";

const order = ["a", "b", "c", "d", "e"];
const chosen = (selection: Selection) => order.filter((id) => selection.ids.has(id)).join("");

test("a range goes from the last one touched, whichever way, and does what the press did", () => {
  const selection = new Selection();
  selection.set("d", true);
  selection.set("b", true, order);
  expect(chosen(selection)).toBe("bcd");
  selection.set("c", false, order);
  expect(chosen(selection)).toBe("d");
});

test("without a beginning, or with one that has left the list, a range is the one", () => {
  const selection = new Selection();
  selection.set("c", true, order);
  expect(chosen(selection)).toBe("c");
  selection.set("a", true, ["a", "b"]);
  expect(chosen(selection)).toBe("ac");
});

test("what leaves the list is no longer chosen", () => {
  const selection = new Selection();
  selection.set("a", true);
  selection.set("e", true, order);
  selection.keep(new Set(["b", "e", "z"]));
  expect(chosen(selection)).toBe("be");
  selection.clear();
  expect(chosen(selection)).toBe("");
});
