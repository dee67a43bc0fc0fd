import { expect, test } from "bun:test";

import { styleOf } from "./style.ts";

const isColoured = (isTerminal: boolean, env: Readonly<Record<string, string>>) =>
  styleOf({ isTerminal, columns: 80 }, env).paint("red", "x") !== "x";

test.each([
  [true, {}, true],
  [false, {}, false],
  [true, { NO_COLOR: "1" }, false],
  [true, { TERM: "dumb" }, false],
  [true, { FORCE_COLOR: "0" }, false],
  [false, { FORCE_COLOR: "1" }, true],
  [false, { FORCE_COLOR: "3", TERM: "dumb" }, true],
  [false, { FORCE_COLOR: "" }, false],
  [false, { CLICOLOR_FORCE: "1" }, true],
  [false, { CLICOLOR_FORCE: "0" }, false],
  [false, { FORCE_COLOR: "1", NO_COLOR: "1" }, false],
] as const)("colours, terminal %p, environment %p: %p", (isTerminal, env, coloured) => {
  expect(isColoured(isTerminal, env)).toBe(coloured);
});
