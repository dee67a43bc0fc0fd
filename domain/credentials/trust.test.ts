// Trust of agents: the subjects that a pattern matches, and the trust that an agent may have.
import { expect, test } from "bun:test";
import { assert, constantFrom, property, string } from "fast-check";

import { trustProblems, trusts, type Trust } from "./trust.ts";

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

const ownIssuers = ["http://gitlab.lan"];
const wrongPaths = (trust: Partial<Trust>) => trustProblems(trust, ownIssuers).map(({ path }) => path);

test.each([
  [{}, []],
  [{ issuer: "https://ci.example.com", subject: "job:1" }, []],
  [{ issuer: "http://gitlab.lan", subject: "project_path:*" }, []],
  [{ issuer: "http://gitlab.lan/tenant", subject: "job*" }, []],
  [{ issuer: "http://gitlab.lan", subject: "*" }, ["subject"]],
  [{ issuer: "http://gitlab.lan.example", subject: "project_path:*" }, ["subject"]],
  [{ issuer: github, subject: "repo:org/site:ref:refs/heads/main" }, []],
  [{ issuer: github, subject: "repo:org/*" }, []],
  [{ issuer: "https://gitlab.com", subject: "project_path:group/site:ref_type:branch:ref:main" }, []],
  [{ issuer: github }, ["subject"]],
  [{ subject: "repo:org/site:*" }, ["issuer"]],
  [{ issuer: github, subject: "repo:*" }, ["subject"]],
  [{ issuer: github, subject: "repo:o*/site:ref" }, ["subject"]],
  [{ issuer: github, subject: "environment:prod:*" }, ["subject"]],
  [{ issuer: `${github}/`, subject: "*" }, ["subject"]],
  [{ issuer: "https://gitlab.com", subject: "project_path:*" }, ["subject"]],
  [{ issuer: "https://ci.example.com", subject: "*" }, ["subject"]],
  [{ issuer: "https://user:secret@ci.example.com", subject: "x" }, ["issuer"]],
  [{ issuer: "https://ci.example.com?x=1", subject: "x" }, ["issuer"]],
  [{ issuer: "ftp://ci.example.com", subject: "x" }, ["issuer"]],
] as const)("%j: %j", (trust, wrong) => {
  expect(wrongPaths(trust)).toEqual([...wrong]);
});

const uuid = "0b6e7a5c-1d2e-4f3a-8b9c-0d1e2f3a4b5c";

test.each([
  ["https://accounts.google.com", "107691503500061507151"],
  ["https://agent.buildkite.com", "organization:acme:*"],
  ["https://agent.buildkite.com", "organization:acme:pipeline:site:ref:refs/heads/*"],
  ["https://app.terraform.io", "organization:acme:project:web:workspace:*:run_phase:apply"],
  ["https://oidc.vercel.com", "owner:acme:project:site:environment:*"],
  ["https://oidc.circleci.com/org/1", "org/acme/project/site/user/*"],
  ["https://gitlab.example.com", "project_path:acme/*"],
  ["https://gitea.example.com", "repo:acme/site:*"],
  ["https://vstoken.dev.azure.com/1", "sc://acme/site/*"],
  ["https://api.bitbucket.org/2.0/workspaces/acme/pipelines-config/identity/oidc", `{${uuid}}:*`],
  ["https://ci.example.com", `${uuid}/*`],
])("a pattern for a public issuer with a value before its first * is accepted: %s %s", (issuer, subject) => {
  expect(trustProblems({ issuer, subject }, [])).toEqual([]);
});

test.each([
  ["https://accounts.google.com", "1*"],
  ["https://accounts.google.com", "1:*"],
  ["https://accounts.google.com", "10769150350006150715*"],
  ["https://agent.buildkite.com", "organization:*"],
  ["https://agent.buildkite.com", "organization:a*"],
  ["https://agent.buildkite.com", "organization:acme*"],
  ["https://agent.buildkite.com", "organization::*"],
  ["https://agent.buildkite.com", "organization:*:pipeline:site:*"],
  ["https://agent.buildkite.com", ":organization:*"],
  ["https://app.terraform.io", "organization:*:project:web:workspace:site:run_phase:apply"],
  ["https://oidc.vercel.com", "owner:*"],
  ["https://oidc.circleci.com/org/1", "org/*"],
  ["https://gitlab.example.com", "project_path:*"],
  ["https://gitea.example.com", "repo:acme*/site:ref"],
  ["https://vstoken.dev.azure.com/1", "sc://*"],
  ["https://tenant.auth0.example", "auth0|*"],
  ["https://ci.example.com", `${uuid}*`],
  ["https://ci.example.com", `${uuid.slice(0, -1)}:*`],
])("a pattern for a public issuer without a value before its first * is refused: %s %s", (issuer, subject) => {
  expect(trustProblems({ issuer, subject }, [])).toEqual([
    {
      path: "subject",
      message:
        "must name a value before the first *, and end it with : or /, such as organization:acme:* or repo:acme/site:*",
    },
  ]);
});
