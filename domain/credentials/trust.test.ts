// Which subjects a pattern means, and which trust an agent may have.
import { expect, test } from "bun:test";
import { assert, constantFrom, property, string } from "fast-check";

import { trustProblems, trusts } from "./trust.ts";

const github = "https://token.actions.githubusercontent.com";

test.each([
  ["repo:a/b:ref:refs/heads/main", "repo:a/b:ref:refs/heads/main", true],
  ["repo:a/b:ref:refs/heads/main", "repo:a/b:ref:refs/heads/main2", false],
  ["repo:a/b:ref:refs/heads/main", "repo:a/B:ref:refs/heads/main", false],
  ["repo:a/b:*", "repo:a/b:pull_request", true],
  ["repo:a/b:*", "repo:a/b:", true],
  ["repo:a/b:*", "repo:a/bc:ref", false],
  ["repo:a/b:*", "x repo:a/b:ref", false],
  ["repo:a/*:ref:refs/heads/main", "repo:a/b:ref:refs/heads/main", true],
  ["repo:a/*:ref:refs/heads/main", "repo:a/b:ref:refs/heads/main/x", false],
  ["repo:a/*:ref:refs/heads/*", "repo:a/b:ref:refs/heads/x", true],
  ["repo:a/*:ref:*:end", "repo:a/b:ref:end", false],
  ["a*a", "a", false],
  ["a.b", "axb", false],
] as const)("the pattern %p and the subject %p: %p", (subject, given, isTrusted) => {
  expect(trusts({ subject }, given)).toBe(isTrusted);
});

test("a pattern means what the same regular expression means", () => {
  const few = string({ unit: constantFrom("a", "b", "*"), maxLength: 8 });
  const text = string({ unit: constantFrom("a", "b"), maxLength: 12 });
  assert(
    property(few, text, (subject, given) => {
      const same = new RegExp(`^${subject.split("*").join(".*")}$`, "s").test(given);
      expect(trusts({ subject }, given)).toBe(same);
    }),
  );
});

test.each([
  [{}, []],
  [{ issuer: "https://ci.example.com", subject: "job:1" }, []],
  [{ issuer: "https://ci.example.com/tenant", subject: "job:*" }, []],
  [{ issuer: "http://gitlab.lan", subject: "project_path:*" }, []],
  [{ issuer: github, subject: "repo:org/site:ref:refs/heads/main" }, []],
  [{ issuer: github, subject: "repo:org/*" }, []],
  [{ issuer: "https://gitlab.com", subject: "project_path:group/site:ref_type:branch:ref:main" }, []],
  [{ issuer: github }, ["subject"]],
  [{ subject: "repo:org/site:*" }, ["issuer"]],
  [{ issuer: github, subject: "repo:*" }, ["subject"]],
  [{ issuer: github, subject: "repo:o*/site:ref" }, ["subject"]],
  [{ issuer: `${github}/`, subject: "*" }, ["subject"]],
  [{ issuer: "https://gitlab.com", subject: "project_path:*" }, ["subject"]],
  [{ issuer: "https://ci.example.com", subject: "*" }, ["subject"]],
  [{ issuer: "https://user:secret@ci.example.com", subject: "x" }, ["issuer"]],
  [{ issuer: "https://ci.example.com?x=1", subject: "x" }, ["issuer"]],
  [{ issuer: "ftp://ci.example.com", subject: "x" }, ["issuer"]],
] as const)("%j: %j", (trust, wrong) => {
  expect(trustProblems(trust).map(({ path }) => path)).toEqual([...wrong]);
});
