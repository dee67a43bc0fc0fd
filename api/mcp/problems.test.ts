// Every tool fails as its route does: for every code that a tool's operation may answer with, the same error is caused
// through REST and through MCP, and the two problems are compared completely.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import type { ErrorCode, FieldError, Problem } from "@plinth/contract/errors";
import { findTool, tools, type Tool, type ToolName } from "@plinth/contract/mcp/tools";
import { errorsOf } from "@plinth/contract/operation-errors";
import { scopes } from "@plinth/contract/scopes";
import { newId, uuidOf } from "@plinth/db/columns";
import type { Instance } from "@plinth/domain/context";
import { mintToken, tokenHash } from "@plinth/domain/tokens/token";
import { closeThreads } from "@plinth/domain/threads/pool";
import { fill, occupy } from "@plinth/domain/threads/test/work";

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

type Provoke = () => Request | Promise<Request>;

let service: Service;
let owner: Awaited<ReturnType<Service["setup"]["person"]>>;
let stranger: typeof owner;
let free: typeof owner;
/** A team in which the owner is only a viewer. */
let team: { slug: string };
let teamProject: { slug: string; projectId: string };
let right: RightArguments;
let project: { slug: string; projectId: string };
let freeProject: { slug: string };
let freeArtifact: { artifactId: string };
/** Public, with a version past its retention and a later one. */
let shown: { artifactId: string; slug: string; sourcePath: string | null };
let jsx: { artifactId: string };
let shownLink: { shareLinkId: string };
/** Other tasks use all of her workspace's places at the compilers and renderers. */
let crowded: typeof owner;
let crowdedProject: { slug: string };
let crowdedArtifacts: Readonly<Record<"jsx" | "md" | "unread", { artifactId: string }>>;
/** Services with a lost database, a server fault, and a caller over its rate limit. */
let away: Pick<Service, "ask">;
let faulty: Pick<Service, "ask">;
let busy: Pick<Service, "ask">;

beforeAll(async () => {
  service = await createService();
  const { setup } = service;
  [owner, stranger, free] = [await setup.person(), await setup.person(), await setup.person({ plan: "free" })];
  team = await setup.team({ [owner.userId]: "viewer", [stranger.userId]: "admin" });
  [project, freeProject] = [await setup.project(owner.token), await setup.project(free.token)];
  teamProject = await setup.project(stranger.token, team.slug);
  freeArtifact = await setup.publish(free.token, freeProject.slug);
  shown = await setup.publish(owner.token, project.slug, { sourcePath: "report.md" });
  const { artifactId } = shown;
  await setup.call("version.create", { artifactId, content: "# Two" }, { as: owner.token });
  await setup.db.run("UPDATE version SET pruned_at = now() WHERE artifact_id = $1 AND version_number = 1", [
    uuidOf("art", artifactId),
  ]);
  jsx = await setup.publish(owner.token, project.slug, { type: "jsx", content: "export default () => 1;\n" });
  right = rightArguments(service, { as: owner.token, project, artifact: shown });
  shownLink = await setup.call("shareLink.create", { artifactId, role: "viewer" }, { as: owner.token });

  crowded = await setup.person();
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

const open = { publicView: true, publicEdit: false };
const hidden = { publicView: false, publicEdit: false };
const tooLarge = () => "x".repeat(service.setup.instance.config.maxContentBytes + 1);

const toPublish = (more: Given = {}): Given => ({
  projectSlug: project.slug,
  slug: service.setup.name("new"),
  type: "md",
  title: "New",
  content: "# New",
  access: open,
  ...more,
});

/** By the owner of the busy workspace; waiting callers give up after a while. */
function amidCrowd(given: Given): Request {
  void fill(crowded.workspaceId);
  return { given, as: crowded.token };
}

/** By the owner, with valid arguments except for these. */
const but = (name: ToolName, more: () => Given) => async (): Promise<Request> => ({
  given: { ...(await right[name]()), ...more() },
});

const byStranger = (name: ToolName) => async (): Promise<Request> => ({
  given: await right[name](),
  as: stranger.token,
});
const missing = (name: ToolName) => but(name, () => ({ artifactId: newId("art") }));

/** The name of an unknown field depends on its position in the route, so these have separate rows below. */
const onlyUnknownFields = "every text that can be sent is a well-formed argument; see the unknown field below";

type Row = Partial<Record<ErrorCode, Provoke | string>>;

const rows: Readonly<Record<ToolName, Row>> = {
  whoami: { invalid_request: onlyUnknownFields },
  list_projects: { invalid_request: but("list_projects", () => ({ limit: 101 })) },
  create_project: {
    invalid_request: but("create_project", () => ({ slug: "No Slug", icon: "" })),
    slug_conflict: but("create_project", () => ({ slug: project.slug })),
    forbidden: but("create_project", () => ({ ownerUsername: team.slug })),
    not_found: but("create_project", () => ({ ownerUsername: "nobody-at-all" })),
  },
  update_project: {
    invalid_request: but("update_project", () => ({ slug: "No Slug" })),
    forbidden: () => ({ given: { projectId: teamProject.projectId, title: "Other" } }),
    slug_conflict: but("update_project", () => ({ slug: project.slug })),
    not_found: but("update_project", () => ({ projectId: newId("prj") })),
  },
  delete_project: {
    invalid_request: onlyUnknownFields,
    forbidden: () => ({ given: { projectId: teamProject.projectId } }),
    project_not_empty: () => ({ given: { projectId: project.projectId } }),
    not_found: but("delete_project", () => ({ projectId: newId("prj") })),
  },
  create_artifact: {
    busy: () =>
      amidCrowd(toPublish({ projectSlug: crowdedProject.slug, type: "jsx", content: "export default () => 2" })),
    invalid_request: but("create_artifact", () => ({ type: "pdf", access: { publicView: 1, publicEdit: false } })),
    invalid_source: but("create_artifact", () => ({ type: "jsx", content: "export default () => <div" })),
    plan_required: () => ({ given: toPublish({ projectSlug: freeProject.slug, access: hidden }), as: free.token }),
    forbidden: but("create_artifact", () => ({ ownerUsername: team.slug, projectSlug: teamProject.slug })),
    slug_conflict: but("create_artifact", () => ({ slug: shown.slug })),
    source_path_conflict: but("create_artifact", () => ({ sourcePath: shown.sourcePath })),
    content_too_large: but("create_artifact", () => ({ content: tooLarge() })),
    not_found: but("create_artifact", () => ({ projectSlug: "nowhere" })),
  },
  search_artifacts: { invalid_request: but("search_artifacts", () => ({ q: " ", limit: 0, visibility: "secret" })) },
  get_artifact: { invalid_request: onlyUnknownFields, not_found: missing("get_artifact") },
  get_artifact_preview: {
    busy: () => amidCrowd({ artifactId: crowdedArtifacts.unread.artifactId }),
    invalid_request: but("get_artifact_preview", () => ({ versionNumber: 0 })),
    version_expired: but("get_artifact_preview", () => ({ versionNumber: 1 })),
    not_found: missing("get_artifact_preview"),
  },
  delete_artifact: {
    invalid_request: onlyUnknownFields,
    forbidden: byStranger("delete_artifact"),
    not_found: missing("delete_artifact"),
  },
  update_artifact_details: {
    invalid_request: but("update_artifact_details", () => ({ title: "" })),
    forbidden: () => ({ given: { artifactId: shown.artifactId, title: "Other" }, as: stranger.token }),
    slug_conflict: but("update_artifact_details", () => ({ slug: shown.slug })),
    source_path_conflict: "the tool has no source path, and a move into a project with the same one is REST's test",
    not_found: missing("update_artifact_details"),
  },
  undelete_artifact: {
    invalid_request: onlyUnknownFields,
    slug_conflict: async () => {
      const { artifactId, slug } = await service.setup.publish(owner.token, project.slug);
      await service.setup.call("artifact.delete", { artifactId }, { as: owner.token });
      await service.setup.publish(owner.token, project.slug, { slug });
      return { given: { artifactId } };
    },
    not_found: missing("undelete_artifact"),
  },
  explain_artifact_access: {
    invalid_request: but("explain_artifact_access", () => ({ email: "nobody" })),
    forbidden: () => ({
      given: { artifactId: shown.artifactId, email: "reader@example.com" },
      as: stranger.token,
    }),
    not_found: missing("explain_artifact_access"),
  },
  get_artifact_access: {
    invalid_request: onlyUnknownFields,
    forbidden: byStranger("get_artifact_access"),
    not_found: missing("get_artifact_access"),
  },
  list_audit_events: {
    invalid_request: but("list_audit_events", () => ({ kind: "nothing" })),
    forbidden: byStranger("list_audit_events"),
    not_found: missing("list_audit_events"),
  },
  set_artifact_access: {
    invalid_request: but("set_artifact_access", () => ({ publicView: false, publicEdit: true })),
    forbidden: byStranger("set_artifact_access"),
    plan_required: () => ({
      given: { artifactId: freeArtifact.artifactId, ...hidden, viewerEmails: [] },
      as: free.token,
    }),
    not_found: missing("set_artifact_access"),
  },
  create_share_link: {
    invalid_request: but("create_share_link", () => ({ expiresAt: "yesterday" })),
    forbidden: byStranger("create_share_link"),
    not_found: missing("create_share_link"),
  },
  list_share_links: {
    invalid_request: but("list_share_links", () => ({ cursor: "no cursor" })),
    forbidden: byStranger("list_share_links"),
    not_found: missing("list_share_links"),
  },
  revoke_share_link: {
    invalid_request: onlyUnknownFields,
    forbidden: () => ({ given: { shareLinkId: shownLink.shareLinkId }, as: stranger.token }),
    not_found: but("revoke_share_link", () => ({ shareLinkId: newId("shr") })),
  },
  create_upload: {
    invalid_request: but("create_upload", () => ({ sizeBytes: -1 })),
    forbidden: but("create_upload", () => ({ ownerUsername: team.slug })),
    not_found: but("create_upload", () => ({ ownerUsername: "nobody-at-all" })),
  },
  update_artifact: {
    busy: () => amidCrowd({ artifactId: crowdedArtifacts.jsx.artifactId, content: "export default () => 2" }),
    invalid_request: but("update_artifact", () => ({ content: 7, expectedLatestVersion: "one" })),
    forbidden: byStranger("update_artifact"),
    invalid_source: but("update_artifact", () => ({ artifactId: jsx.artifactId, content: "<" })),
    version_conflict: but("update_artifact", () => ({ expectedLatestVersion: 1 })),
    content_too_large: but("update_artifact", () => ({ content: tooLarge() })),
    not_found: missing("update_artifact"),
  },
  edit_artifact: {
    busy: () => amidCrowd({ artifactId: crowdedArtifacts.jsx.artifactId, edits: [{ oldText: "1", newText: "2" }] }),
    invalid_request: but("edit_artifact", () => ({ edits: [{ oldText: "nowhere in it", newText: "" }] })),
    forbidden: byStranger("edit_artifact"),
    invalid_source: but("edit_artifact", () => ({
      artifactId: jsx.artifactId,
      edits: [{ oldText: "() => 1", newText: "() => <" }],
    })),
    version_conflict: but("edit_artifact", () => ({ expectedLatestVersion: 9 })),
    content_too_large: but("edit_artifact", () => ({ edits: [{ oldText: "another", newText: tooLarge() }] })),
    not_found: missing("edit_artifact"),
  },
  list_artifact_versions: {
    invalid_request: but("list_artifact_versions", () => ({ limit: 0 })),
    not_found: missing("list_artifact_versions"),
  },
  get_artifact_content: {
    invalid_request: but("get_artifact_content", () => ({ versionNumber: 0 })),
    version_expired: but("get_artifact_content", () => ({ versionNumber: 1 })),
    not_found: missing("get_artifact_content"),
  },
  diff_artifact_versions: {
    busy: () => amidCrowd({ artifactId: crowdedArtifacts.md.artifactId, fromVersion: 1, toVersion: 2 }),
    invalid_request: but("diff_artifact_versions", () => ({ fromVersion: 0, toVersion: "two" })),
    version_expired: but("diff_artifact_versions", () => ({ fromVersion: 1 })),
    not_found: but("diff_artifact_versions", () => ({ toVersion: 2_000_000 })),
  },
  restore_artifact_version: {
    invalid_request: but("restore_artifact_version", () => ({ versionNumber: 0 })),
    forbidden: byStranger("restore_artifact_version"),
    version_expired: but("restore_artifact_version", () => ({ artifactId: shown.artifactId, versionNumber: 1 })),
    not_found: but("restore_artifact_version", () => ({ versionNumber: 2_000_000 })),
  },
};

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

const provoked = (tool: Tool, code: ErrorCode): Provoke | string | undefined => {
  const row = rows[tool.name][code];
  if (row !== undefined) return row;
  return code in everywhere ? () => everywhere[code as keyof typeof everywhere](tool) : undefined;
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

describe.each(tools.map((tool) => [tool.name, tool] as const))("%s", (name, tool) => {
  test("has a row for every code that it may answer with, and none beside", () => {
    const codes = codesOf(tool);
    expect(codes.filter((code) => provoked(tool, code) === undefined)).toEqual([]);
    expect(Object.keys(rows[name]).filter((code) => !codes.includes(code as ErrorCode))).toEqual([]);
  });

  test.each(codesOf(tool).filter((code) => typeof provoked(tool, code) !== "string"))(
    "says %s as REST does",
    async (code) => {
      const provoke = provoked(tool, code);
      if (typeof provoke !== "function") throw new Error(`nothing provokes ${code}`);
      const request = await provoke();
      const rest = await byRest(tool, request);
      expect(rest.problem.code).toBe(code);
      const mcp = await byMcp(tool, request);
      const said = asToolSays(tool, rest.problem);
      const isLonger = code === "slug_conflict" && name === "create_artifact";
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
    },
  );

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
