import { expect, test } from "bun:test";
import { recents, remember } from "./recent.ts";

function storage(first: string | null = null) {
  let kept = first;
  return () => ({ getItem: () => kept, setItem: (_: string, value: string) => void (kept = value) });
}

test("what was looked at last comes first, once, and six are kept", () => {
  const kept = storage();
  for (const name of ["a", "b", "c", "d", "e", "f", "g", "b"]) remember({ path: `/ada/x/${name}`, title: name }, kept);
  expect(recents(kept).map(({ title }) => title)).toEqual(["b", "g", "f", "e", "d", "c"]);
});

test.each([
  "",
  "{",
  "null",
  '{"path":"/a"}',
  '[1,{"path":"//evil.example/","title":"x"},{"path":"javascript:1","title":"x"}]',
])("%j, written by something else, is nothing", (found) => expect(recents(storage(found))).toEqual([]));

test("a browser that keeps nothing remembers nothing, and shows no error", () => {
  const forbidden = () => {
    throw new Error("forbidden");
  };
  remember({ path: "/a/b/c", title: "x" }, forbidden);
  expect(recents(forbidden)).toEqual([]);
});
