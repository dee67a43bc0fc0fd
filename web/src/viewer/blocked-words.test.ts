import { expect, test } from "bun:test";
import { blockedWords } from "./blocked-words.ts";

test.each([
  ["connect-src", "https://a.example/x", "Network requests"],
  ["script-src-elem", "https://a.example/x.js", "Scripts from other sites"],
  ["style-src-elem", "//a.example/x.css", "Stylesheets from other sites"],
  ["script-src", "eval", "Scripts of this kind"],
  ["form-action", "https://a.example", "Form submission"],
  ["frame-src", "", "Embedded pages"],
  ["navigation", "https://a.example", "Navigation"],
  ["feature", "geolocation", "Features of the device"],
  ["worker-src", "data", "Workers from other sites"],
  ["", "", "Something else"],
  ["toString", "", "Something else"],
  ["__proto__-src", "https://a.example", "Something else"],
  ["constructor-src", "https://a.example", "Something else"],
])("%j of %j is told as %j", (directive, address, what) => {
  expect(blockedWords(directive, address, "html")).toEqual({ what, why: expect.stringMatching(/\.$/) });
});

test("the list of places is named only where it helps", () => {
  const why = (type: "html" | "jsx" | "md") => blockedWords("script-src-elem", "https://a.example/x.js", type).why;
  expect(why("html")).toContain("HTML_CDN_ALLOWLIST");
  expect(why("jsx")).not.toContain("HTML_CDN_ALLOWLIST");
  expect(why("md")).not.toContain("HTML_CDN_ALLOWLIST");
});
