// Every tool fails as its route does: for every code that a tool's operation may answer with, the same error is caused
// through REST and through MCP, and the two problems are compared completely.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import type { ErrorCode, FieldError, Problem } from "@plinth/contract/errors";
import { findTool, tools, type Tool, type ToolName } from "@plinth/contract/mcp/tools";
import { errorsOf } from "@plinth/contract/operation-errors";
import { scopes } from "@plinth/contract/scopes";
import type { Account } from "@plinth/contract/test/case";
import { argumentsFor, caseOf } from "@plinth/contract/test/cases";
import { newArtifact } from "@plinth/contract/test/refusals";
import { newId, uuidOf } from "@plinth/db/columns";
import type { Instance } from "@plinth/domain/context";
import { createInProcessFixtures, type InProcessFixtures } from "@plinth/domain/test/fixtures";
import { mintToken, tokenHash } from "@plinth/domain/tokens/token";
import { closeThreads } from "@plinth/domain/threads/pool";
import { fill, occupy } from "@plinth/domain/threads/test/work";

import { zipOf } from "@plinth/support/zip-of";

import { createService, type Service } from "../test/service.ts";
import { problemMeta, refusalText } from "./refusal.ts";
import { askRest, rightArguments, type Given, type RightArguments } from "./test/right-arguments.ts";
import { problemOf, speakTo, type RpcAnswer, type ToolAnswer } from "./test/messages.ts";

interface Request {
  readonly given: Given;
  readonly as?: string;
  readonly headers?: Record<string, string>;
  /** Answers in place of the normal service. */
  readonly by?: Pick<Service, "ask">;
}

let service: Service;
let fixtures: InProcessFixtures;
let owner: InProcessFixtures["owner"];
let right: RightArguments;
/** Public, with a version past its retention and a later one. */
let shown: { artifactId: string };
/** Other tasks use all of her workspace's places at the compilers and renderers. */
let crowded: Account;
let crowdedProject: { slug: string };
let crowdedArtifacts: Readonly<Record<"jsx" | "md" | "unread", { artifactId: string }>>;
/** Her workspace has no room for another file; it has a zip of a document with one. */
let full: Account;
let fullProject: { slug: string };
let fullPage: { artifactId: string };
let archiveSha256: string;
/** Services with a lost database, a server fault, and a caller over its rate limit. */
let away: Pick<Service, "ask">;
let faulty: Pick<Service, "ask">;
let busy: Pick<Service, "ask">;

beforeAll(async () => {
  service = await createService();
  const { setup } = service;
  fixtures = await createInProcessFixtures(setup);
  ({ owner } = fixtures);
  right = rightArguments(fixtures);
  shown = await newArtifact(fixtures, owner, fixtures.project.slug);
  await setup.call("version.create", { artifactId: shown.artifactId, content: "# Two" }, { as: owner.token });
  await setup.db.run("UPDATE version SET pruned_at = now() WHERE artifact_id = $1 AND version_number = 1", [
    uuidOf("art", shown.artifactId),
  ]);

  crowded = await fixtures.account();
  crowdedProject = await setup.project(crowded.token);
  const compiled = { type: "jsx", content: "export default () => 1;\n" } as const;
  crowdedArtifacts = {
    jsx: await setup.publish(crowded.token, crowdedProject.slug, compiled),
    md: await setup.publish(crowded.token, crowdedProject.slug),
    unread: await setup.publish(crowded.token, crowdedProject.slug, { content: "# Never read" }),
  };
  const second = { artifactId: crowdedArtifacts.md.artifactId, content: "# Two" };
  await setup.call("version.create", second, { as: crowded.token });
  await occupy(crowded.workspaceId);

  await fillStorage();

  const served = (instance: Partial<Instance>) => ({ ask: service.askOf({ ...setup.instance, ...instance }) });
  away = served({ load: () => Promise.reject(Object.assign(new Error("refused"), { code: "ECONNREFUSED" })) });
  faulty = served({ load: () => Promise.reject(new TypeError("ours")) });
  const asked = { limit: 1, remaining: 0, resetSeconds: 7, exceeded: true } as const;
  busy = served({ limiter: { take: (budget) => Promise.resolve({ budget, ...asked }) } });
});
afterAll(async () => {
  await closeThreads();
  await service.close();
});

async function fillStorage(): Promise<void> {
  const { setup } = service;
  full = await fixtures.account("free");
  fullProject = await setup.project(full.token);
  fullPage = await setup.publish(full.token, fullProject.slug, { type: "html", content: "<p>One</p>" });
  const zip = zipOf([{ name: "index.html" }, { name: "a.txt", content: "one more" }]);
  const [sha256 = "", empty = ""] = [zip, new Uint8Array()].map((file) =>
    new Bun.CryptoHasher("sha256").update(file).digest("hex"),
  );
  archiveSha256 = sha256;
  await setup.call("file.upload", { sha256 }, { as: full.token, file: zip });
  await setup.call("file.upload", { sha256: empty }, { as: full.token });
  // A gigabyte takes long to upload, so the size is written directly.
  await setup.db.run(
    "UPDATE workspace_file SET size_bytes = 1000000000 WHERE workspace_id = $1 AND sha256 = decode($2, 'hex')",
    [uuidOf("wsp", full.workspaceId), empty],
  );
}

const open = { publicView: true, publicEdit: false };

/** By the owner of the busy workspace; waiting callers give up after a while. */
function amidCrowd(given: Given): Request {
  void fill(crowded.workspaceId);
  return { given, as: crowded.token };
}

/** What waits for the compilers and renderers. */
const crowding: { readonly [Name in ToolName]?: () => Given } = {
  create_artifact: () => ({
    ...{ projectSlug: crowdedProject.slug, slug: fixtures.unique("new"), title: "New", access: open },
    type: "jsx",
    content: "export default () => 2",
  }),
  get_artifact_preview: () => ({ artifactId: crowdedArtifacts.unread.artifactId }),
  update_artifact: () => ({ artifactId: crowdedArtifacts.jsx.artifactId, content: "export default () => 2" }),
  edit_artifact: () => ({
    artifactId: crowdedArtifacts.jsx.artifactId,
    edits: [{ oldText: "() => 1", newText: "() => 2" }],
  }),
  list_artifact_versions: () => ({ artifactId: crowdedArtifacts.md.artifactId, text: "x" }),
  diff_artifact_versions: () => ({ artifactId: crowdedArtifacts.md.artifactId, fromVersion: 1, toVersion: 2 }),
};

/** What keeps one more file. */
const storing: { readonly [Name in ToolName]?: () => Given } = {
  create_artifact: () => ({
    ...{ projectSlug: fullProject.slug, slug: fixtures.unique("new"), title: "New", access: open },
    type: "html",
    archiveSha256,
  }),
  update_artifact: () => ({ artifactId: fullPage.artifactId, archiveSha256 }),
};

/** Of an owner, a project or a thing that is not there. */
const unknown: Readonly<Record<string, () => string>> = {
  artifactId: () => newId("art"),
  projectId: () => newId("prj"),
  shareLinkId: () => newId("shr"),
  projectSlug: () => "nowhere",
  ownerUsername: () => "nobody-at-all",
};

/** A request that the tool refuses with a code of its operation; null where no arguments of the tool lead there. */
async function refusedWith(tool: Tool, code: ErrorCode): Promise<Request | null> {
  const { name, input, operation } = tool;
  const found = caseOf(operation.name);
  const but = async (changes: Given): Promise<Request> => ({ given: { ...(await right[name]()), ...changes } });
  const refusal = found.refused[code];
  if (code === "busy") return amidCrowd(crowding[name]?.() ?? {});
  if (code === "storage_limit_reached") return { given: storing[name]?.() ?? {}, as: full.token };
  if (code === "invalid_request") return found.invalid === undefined ? null : but(argumentsFor(tool, found.invalid));
  if (code === "version_expired") {
    const version = "fromVersion" in input.properties ? "fromVersion" : "versionNumber";
    return but({ artifactId: shown.artifactId, [version]: 1 });
  }
  if (code === "not_found") {
    const field = Object.keys(unknown).find((each) => each in operation.input.properties) ?? "";
    return but({ [field]: unknown[field]?.() });
  }
  if (refusal === undefined) return null;
  const { by, changes = {}, headers = {} } = await refusal(fixtures, owner);
  const sent = argumentsFor(tool, changes);
  if (Object.keys(sent).length < Object.keys(changes).length) return null;
  return { ...(await but(sent)), as: by.token, headers: { ...headers } };
}

/** Faults that are found before the tool is known. */
const everywhere = {
  unauthenticated: async ({ name }: Tool) => ({ given: await right[name](), as: mintToken("apiKey") }),
  token_expired: async ({ name }: Tool) => {
    const expired = await service.setup.key(owner.userId);
    await service.setup.db.run("UPDATE credential SET expires_at = now() WHERE hash = decode($1, 'hex')", [
      tokenHash(expired),
    ]);
    return { given: await right[name](), as: expired };
  },
  insufficient_scope: async ({ name, operation }: Tool) => {
    const held = scopes.filter((scope) => scope !== operation.scope);
    return { given: await right[name](), as: await service.setup.key(owner.userId, held) };
  },
  rate_limited: async ({ name }: Tool) => ({ given: await right[name](), by: busy }),
  unavailable: async ({ name }: Tool) => ({ given: await right[name](), by: away }),
  internal: async ({ name }: Tool) => ({ given: await right[name](), by: faulty }),
  idempotency_conflict: async ({ name }: Tool) => {
    const headers = { "idempotency-key": crypto.randomUUID() };
    // Each surface uses up a separate artifact.
    const statuses = [
      (await restOf(toolOf(name), { given: await right[name](), headers })).status,
      (await askMcp(toolOf(name), { given: await right[name](), headers })).status,
    ];
    expect(statuses.every((status) => status < 300)).toBe(true);
    return { given: await right[name](), headers };
  },
} satisfies Partial<Record<ErrorCode, (tool: Tool) => Promise<Request>>>;

/** The codes that an operation names or may meet. */
const codesOf = ({ operation }: Tool): ErrorCode[] => [...errorsOf(operation), "token_expired", "internal"];

const requestFor = (tool: Tool, code: ErrorCode): Promise<Request | null> =>
  code in everywhere ? everywhere[code as keyof typeof everywhere](tool) : refusedWith(tool, code);

/** Codes that no arguments of a tool lead to, in this order; REST's tests have them. */
const apart: Readonly<Record<string, readonly ErrorCode[]>> = {
  // The tool has no source path, and a move into a project with the same one is REST's test.
  update_artifact_details: ["source_path_conflict"],
};

function toolOf(name: string): Tool {
  const tool = findTool(name);
  if (tool === undefined) throw new Error(`there is no tool ${name}`);
  return tool;
}

const restOf = (tool: Tool, { given, as = owner.token, headers = {}, by = service }: Request) =>
  askRest(by, tool, given, { as, headers });

async function byRest(tool: Tool, asked: Request) {
  const response = await restOf(tool, asked);
  return { status: response.status, problem: (await response.json()) as Problem };
}

const askMcp = ({ name }: Tool, { given, as = owner.token, headers = {}, by = service }: Request) =>
  speakTo(by).send("tools/call", { name, arguments: given }, { as, headers });

async function byMcp(tool: Tool, asked: Request) {
  const response = await askMcp(tool, asked);
  const { result } = (await response.json()) as RpcAnswer;
  const { content, isError, structuredContent, _meta } = result as unknown as ToolAnswer;
  expect({ isError, structuredContent, parts: content.length }).toEqual({
    isError: true,
    structuredContent: undefined,
    parts: 1,
  });
  expect(content[0]?.text).toBe(refusalText(_meta?.[problemMeta] as Problem));
  const challenge = response.headers.get("www-authenticate");
  return { status: response.status, challenge, problem: _meta?.[problemMeta] as Problem };
}

/** A route's problem in the tool's form, with the tool's names of fields. */
function asToolSays({ renamed = {} }: Tool, problem: Problem): Problem {
  if (problem.errors === undefined) return problem;
  const names = new Map(Object.entries(renamed).map(([field, of]) => [of, field]));
  const nameOf = ({ path }: FieldError) => names.get(path) ?? path;
  const errors = problem.errors.map((error) => ({ ...error, path: nameOf(error) }));
  const [first] = problem.errors;
  const detail =
    first !== undefined && problem.detail.startsWith(`${first.path} `)
      ? `${nameOf(first)}${problem.detail.slice(first.path.length)}`
      : problem.detail;
  return { ...problem, detail, errors };
}

/** Removes the known differences. */
function comparable({ requestId, ...problem }: Problem): Record<string, unknown> {
  expect(requestId).not.toBe("");
  return problem;
}

const longerHint = ({ hint = "Take another slug" }: Problem) => `${hint}, or send ifExists: update`;

/** Expects the problem of a tool to be that of its route, in the tool's form. */
async function expectAsRest(tool: Tool, code: ErrorCode, request: Request): Promise<void> {
  const rest = await byRest(tool, request);
  expect(rest.problem.code).toBe(code);
  const mcp = await byMcp(tool, request);
  const said = asToolSays(tool, rest.problem);
  const isLonger = code === "slug_conflict" && tool.name === "create_artifact";
  // Of a name that is not found the next step is a tool's, as REST's is a route's.
  const { hint } = mcp.problem;
  const isGuided = code === "not_found" && hint !== undefined && hint !== said.hint;
  if (isGuided) expect(hint).toMatch(/_[a-z]+|leave it out/);
  const wanted = isLonger ? { ...said, hint: longerHint(said) } : isGuided ? { ...said, hint } : said;
  expect(comparable(mcp.problem)).toEqual(comparable(wanted));
  // Of an API key's missing scope the model is told: scopes.test.ts has those of OAuth clients.
  const isChallenged = code === "unauthenticated" || code === "token_expired";
  expect(mcp.status).toBe(isChallenged ? rest.status : 200);
  expect(mcp.challenge !== null).toBe(isChallenged);
}

describe.each(tools.map((tool) => [tool.name, tool] as const))("%s", (name, tool) => {
  // Every text that can be sent is a well-formed argument of some tools: of those the unknown field below.
  const isTested = (code: ErrorCode) =>
    apart[name]?.includes(code) !== true &&
    (code !== "invalid_request" || caseOf(tool.operation.name).invalid !== undefined);

  test.each(codesOf(tool).filter((code) => isTested(code)))("says %s as REST does", async (code) => {
    const request = await requestFor(tool, code);
    if (request === null) throw new Error(`no arguments lead to ${code}`);
    await expectAsRest(tool, code, request);
  });

  test("says of an unknown field, by REST and by MCP, that it is unknown", async () => {
    const { method, path } = tool.operation;
    const given = { ...(await right[name]()), surprise: 1 };
    const mcp = await byMcp(tool, { given });
    const message = `is not a known field; the fields are ${Object.keys(tool.input.properties).join(", ")}`;
    expect(mcp.problem).toMatchObject({
      code: "invalid_request",
      detail: `surprise ${message}`,
      errors: [{ path: "surprise", message }],
    });
    const place = path.replaceAll(/:\w+/g, shown.artifactId);
    const search = method === "GET" || method === "DELETE" ? "?surprise=1" : "";
    const body = search === "" ? { body: { surprise: 1 } } : {};
    const rest = (await (await service.ask(method, place + search, { as: owner.token, ...body })).json()) as Problem;
    expect(rest.code).toBe("invalid_request");
    expect(comparable(mcp.problem)).toEqual({
      ...comparable(rest),
      detail: mcp.problem.detail,
      errors: mcp.problem.errors,
    });
  });
});

test.each([
  ["diff_artifact_versions", { toVersion: 2_000_000 }],
  ["restore_artifact_version", { versionNumber: 2_000_000 }],
] as const)("%s says of a version that is not there what REST says", async (name, version) => {
  await expectAsRest(toolOf(name), "not_found", { given: { ...(await right[name]()), ...version } });
});

describe("what comes first is what REST says first", () => {
  test.each([
    ["get_artifact_content", { versionNumber: 0 }],
    ["get_artifact_preview", { versionNumber: 0 }],
    ["list_artifact_versions", { limit: 0 }],
    ["update_artifact", { content: 1 }],
  ] as const)("%s: what is wrong with the arguments, before what is not there", async (name, wrong) => {
    const tool = toolOf(name);
    const request = { given: { ...(await right[name]()), artifactId: newId("art"), ...wrong } };
    const { problem } = await byRest(tool, request);
    expect(problem.code).toBe("invalid_request");
    expect(comparable((await byMcp(tool, request)).problem)).toEqual(comparable(asToolSays(tool, problem)));
  });

  test("a missing scope, before what is not there, and after what is wrong", async () => {
    const as = await service.setup.key(owner.userId, ["artifacts:share"]);
    for (const name of ["get_artifact_content", "update_artifact", "get_artifact_access"] as const) {
      const given = { ...(await right[name]()), artifactId: newId("art") };
      const lacking = await byMcp(toolOf(name), { given, as });
      expect(lacking.problem.code).toBe("insufficient_scope");
      expect(comparable(lacking.problem)).toEqual(comparable((await byRest(toolOf(name), { given, as })).problem));
      const wrong = await byMcp(toolOf(name), { given: { ...given, surprise: 1 }, as });
      expect(wrong.problem.code).toBe("invalid_request");
    }
  });
});

test("an argument that is missing is named as REST names it", async () => {
  for (const tool of tools) {
    const required = (tool.input.required ?? []).filter((field) => !tool.operation.path.includes(`:${field}`));
    for (const field of required) {
      if (tool.operation.method === "DELETE") continue;
      const { [field]: _, ...given } = await right[tool.name]();
      const { problem } = await byRest(tool, { given });
      expect(problem.code).toBe("invalid_request");
      expect(comparable((await byMcp(tool, { given })).problem)).toEqual(comparable(asToolSays(tool, problem)));
    }
  }
});

test("an Idempotency-Key of no or of too many characters is refused where REST refuses it", async () => {
  for (const tool of tools) {
    for (const key of ["", "x".repeat(300)]) {
      const request = { given: await right[tool.name](), headers: { "idempotency-key": key } };
      if (tool.operation.method !== "POST") {
        expect((await askMcp(tool, request)).status).toBe(200);
        continue;
      }
      const { problem } = await byRest(tool, request);
      expect(problem.errors).toEqual([{ path: "Idempotency-Key", message: "must have 1 to 255 characters" }]);
      expect(comparable((await byMcp(tool, request)).problem)).toEqual(comparable(problem));
    }
  }
});

const deepEdits = (depth: number): string => `[{"oldText":${"[".repeat(depth)}${"]".repeat(depth)},"newText":""}]`;

test("what is nested too deeply is refused in REST's words, and only to who may ask", async () => {
  const { artifactId } = shown;
  // The maximum depth of a message, and one level more than an operation's input.
  const edits = deepEdits(14);
  const rest = await service.ask("POST", `/api/artifacts/${artifactId}/edits`, {
    as: owner.token,
    body: `{"edits":${edits}}`,
  });
  const problem = (await rest.json()) as Problem;
  expect(problem.errors).toEqual([{ path: "", message: "is nested deeper than 16 levels" }]);
  for (const name of ["edit_artifact", "whoami", "get_artifact_content"] as const) {
    const ask = (as: string) => askRaw(name, `{"artifactId":"${artifactId}","edits":${edits}}`, as);
    const { result } = (await (await ask(owner.token)).json()) as RpcAnswer;
    expect(comparable(problemOf(result as unknown as ToolAnswer) as unknown as Problem)).toEqual(comparable(problem));
    expect((await ask(mintToken("apiKey"))).status).toBe(401);
  }
});

test("what is nested deeper than any message is no message", async () => {
  for (const depth of [15, 20_000]) {
    const answer = await askRaw("edit_artifact", `{"edits":${deepEdits(depth)}}`, owner.token);
    expect([answer.status, ((await answer.json()) as RpcAnswer).error?.code]).toEqual([400, -32_600]);
  }
});

const askRaw = (name: ToolName, given: string, as: string) =>
  service.ask("POST", "/mcp", {
    as,
    headers: { accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-11-25" },
    body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${given}}}`,
  });

test("a call without a credential is refused by HTTP alone, in REST's words except for where to send one", async () => {
  const response = await speakTo(service).send("tools/call", { name: "whoami", arguments: {} });
  expect(response.status).toBe(401);
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  const problem = (await response.json()) as Problem;
  const rest = (await (await service.ask("GET", "/api/profile/me")).json()) as Problem;
  expect(comparable({ ...problem, detail: rest.detail })).toEqual(comparable(rest));
});
