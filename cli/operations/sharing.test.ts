// The commands of access, share links, audit and search: what each sends, says and refuses.
import { describe, expect, test } from "bun:test";

import { errorCodes, type ErrorCode } from "@plinth/contract/errors";
import { operations } from "@plinth/contract/registry";

import { json, line, problem } from "../testing/line.ts";

const id = (prefix: string) => `${prefix}_01jd8w3c5t7k9m2n4p6q8r0s1v`;
const artifact = ["--artifact-id", id("art")];
const workspace = ["--workspace-id", id("wsp")];
const path = `/api/artifacts/${id("art")}`;
const set = ["artifact", "access", "set", ...artifact];
const secret = "pls_0123456789abcdefABCDEF";

/** Each command with a line that is whole, and the request that comes of it. */
const lines: readonly (readonly [readonly string[], string])[] = [
  [["artifact", "access", "get", ...artifact], `GET ${path}/access`],
  [
    [...set, "--no-public-view", "--no-public-edit", "--viewer-emails", "a@example.org, b@example.org"],
    `PATCH ${path}/access {"publicView":false,"publicEdit":false,"viewerEmails":["a@example.org","b@example.org"]}`,
  ],
  [
    [...set, "--no-public-view", "--no-public-edit", "--viewer-emails", "Ada <a@example.org>; b@example.org"],
    `PATCH ${path}/access {"publicView":false,"publicEdit":false,"viewerEmails":["a@example.org","b@example.org"]}`,
  ],
  [
    [...set, "--public-view", "--public-edit", "--viewer-emails", "none"],
    `PATCH ${path}/access {"publicView":true,"publicEdit":true,"viewerEmails":[]}`,
  ],
  [
    [...set, "--public-view", "--no-public-edit", "--viewer-emails=a@example.org", "--viewer-emails=b@example.org"],
    `PATCH ${path}/access {"publicView":true,"publicEdit":false,"viewerEmails":["a@example.org","b@example.org"]}`,
  ],
  [
    [...set, "--json", '{"publicView":true,"publicEdit":true,"viewerEmails":[]}', "--no-public-edit"],
    `PATCH ${path}/access {"publicView":true,"publicEdit":false,"viewerEmails":[]}`,
  ],
  [["access", "explain", ...artifact, "--email", "a@example.org"], `GET ${path}/access/explain?email=a%40example.org`],
  [["share", "create", ...artifact, "--role", "viewer"], `POST ${path}/share-links {"role":"viewer"}`],
  [
    ["share", "create", ...artifact, "--role", "editor", "--label", "Bob", "--expires-at", "2099-01-01T00:00:00Z"],
    `POST ${path}/share-links {"role":"editor","label":"Bob","expiresAt":"2099-01-01T00:00:00Z"}`,
  ],
  [
    ["share", "create", ...artifact, "--role", "viewer", "--expires-at", "none"],
    `POST ${path}/share-links {"role":"viewer","expiresAt":null}`,
  ],
  [["share", "list", ...artifact, "--limit", "5"], `GET ${path}/share-links?limit=5`],
  [["share", "revoke", "--share-link-id", id("shr")], `POST /api/share-links/${id("shr")}/revoke`],
  [["share", "resolve", "--share-token", secret], "GET /api/share-links/resolve"],
  [["audit", "list"], "GET /api/audit-events"],
  [
    ["audit", "list", ...artifact, "--kind", "access.updated", "--since", "2026-01-01T00:00:00Z", "--actor", id("usr")],
    `GET /api/audit-events?artifactId=${id("art")}&kind=access.updated&actor=${id("usr")}&since=2026-01-01T00%3A00%3A00Z`,
  ],
  [["workspace", "audit", ...workspace], `GET /api/workspaces/${id("wsp")}/audit-events`],
  [["search"], "GET /api/artifacts"],
  [["search", "quarterly", "report", "--type", "md"], "GET /api/artifacts?q=quarterly+report&type=md"],
  [["search", "--q", "quarterly report"], "GET /api/artifacts?q=quarterly+report"],
  [["search", "--", "--draft"], "GET /api/artifacts?q=--draft"],
  [["artifact", "patch", ...artifact, "--description", "none"], `PATCH ${path} {"description":null}`],
  [["artifact", "undelete", ...artifact], `POST ${path}/undelete`],
];

const cases = lines.map(([words, request]) => ({ words, request }));

describe("what a line sends", () => {
  test.each(cases)("$request", async ({ words, request }) => {
    const { code, requests, stderr } = await line(["--quiet", ...words], { answer: () => json({}) });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const sent = requests[0];
    const body = (await sent?.text()) ?? "";
    const { pathname, search } = new URL(sent?.url ?? "");
    expect(`${sent?.method} ${pathname}${search} ${body}`.trim()).toBe(request);
  });

  test.each(cases)("and a dry run of $request shows it, and sends nothing", async ({ words, request }) => {
    const { code, stdout, requests } = await line(["--dry-run", ...words]);
    expect({ code, sent: requests.length }).toEqual({ code: 0, sent: 0 });
    const shown = JSON.parse(stdout) as { dryRun: true; request: { method: string; url: string; body: unknown } };
    const { pathname, search } = new URL(shown.request.url);
    const body = shown.request.body === null ? "" : JSON.stringify(shown.request.body);
    expect(`${shown.request.method} ${pathname}${search} ${body}`.trim()).toBe(request);
  });
});

const exits: Readonly<Record<number, number>> = { 400: 7, 401: 4, 403: 5, 404: 3, 409: 6, 429: 8, 503: 9 };

describe("a refusal", () => {
  const common: readonly ErrorCode[] = ["invalid_request", "not_found", "rate_limited", "unavailable"];
  const refusals = lines.flatMap(([words]) => {
    const op = operations.find(({ cli }) => cli !== undefined && `${words.join(" ")} `.startsWith(`${cli.command} `));
    const met: readonly ErrorCode[] = [
      ...common,
      ...(op?.errors ?? []),
      ...(op?.caller === "anyone" ? [] : (["unauthenticated"] as const)),
      ...(op?.scope ? (["insufficient_scope"] as const) : []),
    ];
    return [...new Set(met)].map((code) => ({ words, code }));
  });

  test.each(refusals)("$code of $words", async ({ words, code }) => {
    const { status } = errorCodes[code];
    const extra = { requiredScope: "artifacts:share", suggestion: "other", entitlement: "privateArtifacts" };
    const answer = () => problem(status, code, extra, { "retry-after": "100" });
    const asJson = await line(words, { answer });
    expect({ exit: asJson.code, stdout: asJson.stdout, code: asJson.error["code"] }).toEqual({
      exit: exits[status] ?? -1,
      stdout: "",
      code,
    });
    const text = await line(["--format", "text", ...words], { answer });
    expect({ exit: text.code, stdout: text.stdout }).toEqual({ exit: asJson.code, stdout: "" });
    expect(text.stderr).toMatch(new RegExp(`error: Refused: ${code}`));
  });
});

describe("a line that says too little or too much sends nothing", () => {
  const wrong: readonly (readonly [readonly string[], RegExp])[] = [
    [[...set], /needs --\[no-\]public-view, --\[no-\]public-edit or --viewer-emails/],
    [[...set, "--public-view", "--dry-run"], /cannot ask for the access that there is/],
    [[...set, "--public-view", "--no-public-view", "--public-edit", "--viewer-emails", "none"], /exclude each other/],
    [[...set, "--viewer-emails", ""], /write a@example.org,b@example.org or none/],
    [["access", "explain", ...artifact], /needs --email/],
    [["share", "create", ...artifact], /needs --role/],
    [["share", "create", ...artifact, "--role", "owner"], /must be one of viewer, editor/],
    [["share", "list"], /share list needs an artifact/],
    [["share", "revoke"], /needs --share-link-id/],
    [["audit", "list", "--kind", "access.update"], /must be one of/],
    [["workspace", "audit"], /needs --workspace-id/],
    [["search", "words", "--q", "more"], /words beside it/],
    [["search", "--visibility", "secret"], /must be one of public, private/],
    [["audit", "list", "report"], /That names no artifact/],
    [["audit", "list", "a/b/c", "d/e/f"], /audit list takes one artifact/],
    [["search", "--check"], /--check is not for search/],
  ];
  test.each(wrong.map(([words, said]) => ({ words, said })))("$words", async ({ words, said }) => {
    const { code, requests, error } = await line(words);
    expect({ code, sent: requests.length }).toEqual({ code: 2, sent: 0 });
    expect(String(error["detail"])).toMatch(said);
  });

  test("and says what becomes of the rest of the access object", async () => {
    const { error } = await line([...set]);
    expect(String(error["hint"])).toContain("stays as it is");
  });
});

test("--check asks for the would-be result", async () => {
  const words = [...set, "--public-view", "--no-public-edit", "--viewer-emails", "none", "--check"];
  const { code, requests } = await line(words, { answer: () => json({ dryRun: true }) });
  expect({ code, search: new URL(requests[0]?.url ?? "").search }).toEqual({ code: 0, search: "?dryRun=true" });
});
