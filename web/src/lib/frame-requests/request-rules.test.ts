import { describe, expect, test } from "bun:test";
import { fileName, isDocumentHere, linkOf } from "./request-rules.ts";

const page = "https://plinth.example/ada/notes/report?v=3#top";
const origin = "https://plinth.example";

describe("linkOf", () => {
  test("resolves what an author writes against the page of the artifact", () => {
    expect(linkOf("https://a.example/?q=1#x", page)?.href).toBe("https://a.example/?q=1#x");
    expect(linkOf("//a.example/x", page)?.href).toBe("https://a.example/x");
    expect(linkOf("other", page)?.href).toBe("https://plinth.example/ada/notes/other");
    expect(linkOf("?v=2", page)?.href).toBe("https://plinth.example/ada/notes/report?v=2");
    expect(linkOf("mailto:a@b.example?subject=Hi", page)?.href).toBe("mailto:a@b.example?subject=Hi");
  });

  test("refuses every scheme but http, https and mailto", () => {
    const blob = "blob:https://plinth.example/0";
    for (const address of [
      "javascript:alert(1)",
      " JavaScript:alert(1)",
      "data:text/html,x",
      blob,
      "file:///etc",
      "x:y",
    ])
      expect(linkOf(address, page)).toBeNull();
    expect(linkOf("https://", page)).toBeNull();
  });
});

test("isDocumentHere: only pages of artifacts on this origin", () => {
  const here = (address: string) => isDocumentHere(new URL(address, page), origin);
  expect(["other", "/bob/x/y?v=2#z", "/bob/x/guide/setup"].map(here)).toEqual([true, true, true]);
  const others = [
    "/",
    "/settings/keys",
    "/api/artifacts/1",
    "/_content/p/1",
    "/share/token",
    "https://a.example/a/b/c",
  ];
  expect(others.filter(here)).toEqual([]);
  expect(here("http://plinth.example/a/b/c")).toBe(false);
});

test("fileName: no path, no hidden file, nothing that reads otherwise than it is", () => {
  expect(fileName("report.csv")).toBe("report.csv");
  expect(fileName("../../.ssh/config")).toBe("ssh config");
  expect(fileName("evil\u202Egpj.exe")).toBe("evil gpj.exe");
  expect(fileName("a\u0000\nb")).toBe("a b");
  expect(fileName("...")).toBe("document.txt");
});
