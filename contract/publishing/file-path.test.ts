import { describe, expect, test } from "bun:test";

import { formProblem, nameProblem, pathProblem } from "./file-path.ts";

describe("a path that can be published", () => {
  test.each([
    "a.png",
    "img/a b.png",
    "ä/日本.svg",
    ".well-known/x.json",
    "a..b.txt",
    "con-fig.json",
    "console.log.txt",
    "icon.png",
    "nullable/x.txt",
    "com0.txt",
    "com10.txt",
    "lpt.txt",
    "auxiliary.css",
    "a.con",
    "data.nul",
    " a.txt",
    "\u0301a.txt",
    "\u{1F600}.png",
  ])("%j", (path) => expect(pathProblem(path)).toBeNull());
});

describe("a name that another system reads as something else", () => {
  const format = "must not contain an invisible format character, as ";
  const reserved = "must not contain a name that Windows reserves, as ";
  const colon = "must not contain a colon, as ";
  const end = "must not contain a name that ends in a dot or a space, as ";
  test.each([
    ["a\u202Etxt.svg", `${format}\`a\\u{202E}txt.svg\` does`],
    ["img\u200B/a.svg", `${format}\`img\\u{200B}\` does`],
    ["a\u{E0041}\u00AD.svg", `${format}\`a\\u{E0041}\\u{AD}.svg\` does`],
    ["\uFEFFa.svg", `${format}\`\\u{FEFF}a.svg\` does`],
    ["C:/x.txt", `${colon}\`C:\` does`],
    ["a/x.txt:stream", `${colon}\`x.txt:stream\` does`],
    ["CON", `${reserved}\`CON\` is`],
    ["con.txt", `${reserved}\`con.txt\` is`],
    ["a/Aux/b.txt", `${reserved}\`Aux\` is`],
    ["prn.tar.gz", `${reserved}\`prn.tar.gz\` is`],
    ["nUl .txt", `${reserved}\`nUl .txt\` is`],
    ["COM1.png", `${reserved}\`COM1.png\` is`],
    ["com9", `${reserved}\`com9\` is`],
    ["LPT1.css", `${reserved}\`LPT1.css\` is`],
    ["lpt\u00B2.css", `${reserved}\`lpt\u00B2.css\` is`],
    ["conin$", `${reserved}\`conin$\` is`],
    ["CONOUT$.txt", `${reserved}\`CONOUT$.txt\` is`],
    ["a./b.txt", `${end}\`a.\` does`],
    ["a/b.txt.", `${end}\`b.txt.\` does`],
    ["a /b.txt", `${end}\`a \` does`],
    ["b.txt ", `${end}\`b.txt \` does`],
  ])("%j is refused by name, and has the form of a path", (path, problem) => {
    expect([pathProblem(path), nameProblem(path), formProblem(path)]).toEqual([problem, problem, null]);
    expect(problem).not.toMatch(/\p{Cf}/u);
  });

  test.each(["con", "prn", "aux", "nul", ...[1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap((one) => [`com${one}`, `lpt${one}`])])(
    "%s in any case, with any extension, in any part",
    (name) => {
      for (const one of [name, name.toUpperCase(), `${name}.txt`, `${name}.a.b`])
        for (const path of [one, `a/${one}`, `${one}/a.txt`]) expect(pathProblem(path)).toStartWith(reserved);
    },
  );
});

describe("a path that leads out of its folder, or is no path", () => {
  test.each(["", "/a", "../a", "a/../b", "a//b", "a/", "./a", "a\\b", "a\0", "a\u0085b", "e\u0301", "x".repeat(256)])(
    "%j is refused",
    (path) => expect([pathProblem(path), pathProblem(path)]).toEqual([formProblem(path), expect.any(String)]),
  );
});
