// The flags and commands that programs rely on, row by row: each must be in the catalogue under exactly this name.
import { describe, expect, test } from "bun:test";

import { commands } from "../catalogue.ts";
import type { Flags } from "../flags/flags.ts";
import { globalFlags } from "../flags/global-flags.ts";
import { emptyDirectory, json, line } from "../testing/line.ts";

const globals: Flags = globalFlags;

describe("global flags", () => {
  const rows: readonly (readonly [flag: string, variable: string | null, type: "string" | "boolean"])[] = [
    ["base-url", "SERVICE_BASE_URL", "string"],
    ["web-url", "SERVICE_WEB_URL", "string"],
    ["token", "SERVICE_TOKEN", "string"],
    ["token-stdin", null, "boolean"],
    ["format", "SERVICE_FORMAT", "string"],
    ["ndjson", null, "boolean"],
    ["quiet", null, "boolean"],
    ["no-input", "SERVICE_NO_INPUT", "boolean"],
    ["debug", "SERVICE_DEBUG", "boolean"],
    ["dry-run", null, "boolean"],
    ["version", null, "boolean"],
  ];
  test.each(rows)("--%s %s", (flag, variable, type) => {
    expect(globals[flag]).toMatchObject({ type, ...(variable !== null && { env: variable }) });
    if (variable === null) expect(globals[flag]?.env).toBeUndefined();
  });
});

describe("a variable says what its flag says", () => {
  const status = async (env: Record<string, string>) =>
    JSON.parse((await line(["status"], { env })).stdout) as Record<string, unknown>;

  test("SERVICE_BASE_URL and SERVICE_WEB_URL", async () => {
    const env = { SERVICE_BASE_URL: "https://api.test", SERVICE_WEB_URL: "https://web.test" };
    expect(await status(env)).toMatchObject({ baseUrl: "https://api.test", webUrl: "https://web.test" });
    const { requests } = await line(["health"], { env, answer: () => json({ status: "ok" }) });
    expect(requests[0]?.url).toBe("https://api.test/api/health");
  });

  test("SERVICE_TOKEN", async () => {
    const { requests } = await line(["whoami"], { env: { SERVICE_TOKEN: "plk_variable" }, answer: () => json({}) });
    expect(requests[0]?.headers.get("authorization")).toBe("Bearer plk_variable");
  });

  test("SERVICE_FORMAT", async () => {
    const answer = () => json({ status: "ok" });
    expect((await line(["health"], { env: { SERVICE_FORMAT: "json" }, terminal: true, answer })).stdout).toContain("{");
    expect((await line(["health"], { env: { SERVICE_FORMAT: "text" }, answer })).stdout).not.toContain("{");
  });

  test("SERVICE_NO_INPUT=1", async () => {
    expect((await line(["login"], { env: { SERVICE_NO_INPUT: "1" } })).code).toBe(10);
  });

  test("SERVICE_DEBUG=1", async () => {
    expect((await line(["nonsense"], { env: { SERVICE_DEBUG: "1" } })).stderr).toContain("    at ");
    expect((await line(["nonsense"])).stderr).not.toContain("    at ");
  });
});

/** Each with the flags its row names. */
const rows: readonly (readonly [path: string, flags: string, endpoint: string | null])[] = [
  ["schema", "", null],
  ["health", "", "GET /api/health"],
  ["status", "", null],
  ["whoami", "", "GET /api/profile/me"],
  ["login", "", null],
  ["logout", "", null],
  ["profile get", "", "GET /api/profile/me"],
  ["profile set-username", "username", "PATCH /api/profile/me"],
  ["keys list", "", "GET /api/api-keys"],
  ["keys create", "name scopes", "POST /api/api-keys"],
  ["keys revoke", "api-key-id", "DELETE /api/api-keys/:apiKeyId"],
  ["project list", "limit", "GET /api/profile/projects"],
  ["project create", "json", "POST /api/projects"],
  ["project slug-availability", "owner slug", "GET /api/projects/slug-availability/:owner/:slug"],
  ["workspace list", "", "GET /api/workspaces"],
  ["workspace members", "workspace-id", "GET /api/workspaces/:workspaceId/members"],
  ["workspace invite", "workspace-id json", "POST /api/workspaces/:workspaceId/invitations"],
  ["workspace revoke-invite", "invitation-id", "POST /api/workspace-invitations/:invitationId/revoke"],
  ["workspace audit", "workspace-id", "GET /api/workspaces/:workspaceId/audit-events"],
  ["push", "owner project-slug file type title slug private ensure", "POST /api/artifacts"],
  ["artifact list", "limit", "GET /api/profile/artifacts"],
  ["artifact create", "json", "POST /api/artifacts"],
  ["artifact get", "artifact-id", "GET /api/artifacts/:artifactId"],
  ["artifact update", "artifact-id json", "POST /api/artifacts/:artifactId/versions"],
  ["artifact restore", "artifact-id version", "POST /api/artifacts/:artifactId/versions/:versionNumber/restore"],
  ["artifact delete", "artifact-id yes", "DELETE /api/artifacts/:artifactId"],
  ["artifact content", "artifact-id version", "GET /api/artifacts/:artifactId/content"],
  ["artifact versions", "artifact-id limit", "GET /api/artifacts/:artifactId/versions"],
  ["artifact diff", "artifact-id from to", "GET /api/artifacts/:artifactId/diff"],
  [
    "artifact slug-availability",
    "owner project-slug slug",
    "GET /api/artifacts/slug-availability/:owner/:projectSlug/:slug",
  ],
  ["artifact url-preview", "owner project-slug slug", "GET /api/slug-preview/:owner/:projectSlug/:slug"],
  ["artifact access get", "artifact-id", "GET /api/artifacts/:artifactId/access"],
  ["artifact access set", "artifact-id json", "PATCH /api/artifacts/:artifactId/access"],
  ["path project", "owner project-slug", "GET /api/by-path/:owner/:projectSlug"],
  ["path artifact", "owner project-slug slug", "GET /api/by-path/:owner/:projectSlug/:slug"],
  ["share create", "artifact-id role expires-at", "POST /api/artifacts/:artifactId/share-links"],
  ["share list", "artifact-id", "GET /api/artifacts/:artifactId/share-links"],
  ["share revoke", "share-link-id", "POST /api/share-links/:shareLinkId/revoke"],
  ["audit list", "artifact-id limit", "GET /api/audit-events"],
];

/** What the service offers beyond the table. */
const more: readonly (readonly [path: string, flags: string])[] = [
  ["search", "q limit"],
  ["agent list", ""],
  ["agent create", "name scopes"],
  ["agent revoke", "agent-id"],
  ["agent init", "file owner project-slug remove"],
  ["operator user create", "email username plan"],
  ["operator user sign-in-link", "user-id"],
  ["operator user api-key", "user-id name scopes"],
  ["operator plan set", "workspace-id plan"],
  ["operator jobs list", ""],
  ["operator jobs retry", "job-id"],
  ["operator jobs run", "kind"],
  ["operator stats", ""],
  ["artifact edit", "artifact-id replace with all json changelog expected-latest-version"],
  ["artifact undelete", "artifact-id"],
  ["artifact thumbnail", "artifact-id size version"],
  ["artifact open", "artifact-id owner project-slug slug version"],
  ["member set-role", "workspace-id user-id role"],
  ["member remove", "workspace-id user-id yes"],
  ["invitation accept", "invitation-token"],
  ["completion", ""],
  ["access explain", "artifact-id email"],
];

const commandOf = (path: string) => commands.find((command) => command.path === path);
const flagsOf = (path: string) => Object.keys(commandOf(path)?.flags ?? {});

describe("commands", () => {
  test.each(rows)("%s (%s)", (path, flags, endpoint) => {
    const operation = commandOf(path)?.operation;
    expect(commandOf(path)?.path).toBe(path);
    expect(flagsOf(path)).toEqual(expect.arrayContaining(flags.split(" ").filter(Boolean)));
    expect(operation ? `${operation.method} ${operation.path}` : null).toBe(endpoint);
  });

  test.each(more)("%s (%s)", (path, flags) => {
    expect(commandOf(path)?.path).toBe(path);
    expect(flagsOf(path)).toEqual(expect.arrayContaining(flags.split(" ").filter(Boolean)));
  });

  test("no command is there twice", () => {
    const paths = commands.map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
  });

  test("delete wants --yes, and share's expiry may be left out", async () => {
    const directory = emptyDirectory();
    expect((await line(["artifact", "delete", "--artifact-id", "art_1"], { directory })).code).toBe(2);
    expect(commandOf("share create")?.flags["expires-at"]?.required).toBeUndefined();
    expect(commandOf("share create")?.flags["role"]?.required).toBe(true);
  });
});

test("help of a command that names an artifact: its path, its URL or its identifier", async () => {
  const { stdout } = await line(["artifact", "get", "--help"]);
  expect(stdout.replaceAll(/\s+/g, " ")).toContain(
    "artifact owner/project/slug, the address of the page, or the identifier. The same as --artifact-id",
  );
});
