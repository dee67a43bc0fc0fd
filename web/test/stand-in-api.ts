// A small API standing in for the remote one in the web's own tests: the operations its pages call.
// What it answers is typed by the contract; what it was asked is kept for assertions.
import type { Profile, Workspace } from "@plinth/contract/schemas/account";
import type { Artifact, Preview, Version } from "@plinth/contract/schemas/artifact";
import type { Project } from "@plinth/contract/schemas/project";
import type { Problem } from "@plinth/contract/errors";
import { wholeArtifact } from "@plinth/contract/test/artifact";

const createdBy = { type: "user", id: "usr_1", label: "ada" } as const;

export function artifact(given: Partial<Artifact> & { slug: string }): Artifact {
  const artifactId = given.artifactId ?? `art_${given.slug}`;
  return {
    ...wholeArtifact,
    artifactId,
    workspaceId: "wsp_1",
    projectId: "prj_1",
    projectSlug: "notes",
    title: given.slug,
    url: `http://localhost/ada/notes/${given.slug}`,
    contentUrl: `http://localhost/api/artifacts/${artifactId}/content`,
    thumbnailUrl: `http://localhost/api/artifacts/${artifactId}/thumbnail`,
    createdBy,
    latestBy: createdBy,
    permissions: { edit: false, share: false, manageAccess: false, delete: false },
    ...given,
  };
}

export function project(given: Partial<Project> = {}): Project {
  return {
    projectId: "prj_1",
    ownerUsername: "ada",
    workspaceId: "wsp_1",
    slug: "notes",
    title: "Notes",
    description: null,
    icon: "N",
    artifactCount: 1,
    url: "http://localhost/ada/notes",
    createdAt: "2026-11-01T09:00:00.000Z",
    updatedAt: "2026-11-01T09:00:00.000Z",
    ...given,
  };
}

export function profile(given: Partial<Profile> = {}): Profile {
  return {
    userId: "usr_1",
    username: "ada",
    email: "ada@example.org",
    emailVerified: true,
    name: null,
    avatarUrl: null,
    workspaceId: "wsp_1",
    plan: "team",
    entitlements: {
      privateArtifacts: true,
      teamWorkspaces: true,
      seats: 10,
      auditRetentionDays: 365,
      versionRetentionDays: 365,
      storageBytes: 500_000_000_000,
    },
    credential: { type: "session", scopes: [], label: "session" },
    ...given,
  };
}

export function workspace(given: Partial<Workspace> = {}): Workspace {
  return {
    workspaceId: "wsp_1",
    slug: "ada",
    name: "Ada",
    kind: "personal",
    role: "admin",
    plan: "team",
    seats: { used: 1, limit: 10 },
    retention: { versionDays: 365, auditDays: 365, until: null },
    createdAt: "2026-11-01T09:00:00.000Z",
    ...given,
  };
}

/** What the stand-in knows. */
export interface Known {
  project: Project;
  artifacts: Artifact[];
  versions?: Version[];
  /** How an artifact was last shown; as it should be, unless given. */
  render?: Partial<Preview>;
  /** The caller with a session cookie whose value is `good`. */
  profile?: Profile;
}

export interface StandIn {
  fetch: (request: Request) => Promise<Response>;
  asked: Request[];
}

/** Makes the stand-in; `/api/by-path/ada/notes/down` answers 503 and `/broken` answers no JSON at all. */
export function standInApi(of: Known): StandIn {
  const asked: Request[] = [];
  return {
    asked,
    async fetch(request) {
      asked.push(request);
      return answer(request, of);
    },
  };
}

const reach = { anyone: false, people: 1, morePeople: false, links: 0, moreLinks: false };

/** What there is none of here, by the end of its address. */
const emptyLists: Readonly<Record<string, string>> = {
  artifacts: "artifacts",
  workspaces: "workspaces",
  projects: "projects",
  members: "members",
  "share-links": "shareLinks",
  "former-addresses": "formerAddresses",
  "audit-events": "auditEvents",
};

function answer(request: Request, of: Known): Response {
  const url = new URL(request.url);
  const requestId = request.headers.get("x-request-id") ?? "";
  const [, , kind, ...rest] = url.pathname.split("/").map(decodeURIComponent);
  const isSignedIn = /plinth_session=good(?:;|$)/.test(request.headers.get("cookie") ?? "");
  if (kind === "profile" && rest[0] === "me") {
    if (!isSignedIn || of.profile === undefined) return problem(401, "unauthenticated", requestId);
    if (request.method === "PATCH") return problem(409, "slug_conflict", requestId, { suggestion: "ada-2" });
    return Response.json(of.profile);
  }
  if (kind === "auth" && rest[0] === "providers") return Response.json({ providers: [] });
  if (kind === "auth" && rest[0] === "sign-out") {
    return new Response(null, { status: 204, headers: { "set-cookie": "__Host-plinth_session=; Max-Age=0; Path=/" } });
  }
  // By its identifier, or by its address as one part of the path.
  const byId = of.artifacts.find(({ artifactId, slug }) => [artifactId, `ada/notes/${slug}`].includes(rest[0] ?? ""));
  if (kind === "by-path" && rest[2] === "down") return problem(503, "unavailable", requestId);
  if (kind === "by-path" && rest[2] === "broken") return new Response("<h1>Bad gateway", { status: 500 });
  // "ada-before" is what ada was called once.
  if (kind === "by-path" && ["ada", "ada-before"].includes(rest[0] ?? "") && rest[1] === "notes") {
    const found = rest.length === 2 ? of.project : of.artifacts.find(({ slug }) => slug === rest[2]);
    if (found !== undefined) return Response.json(found);
  }
  if (kind === "artifacts" && rest.length === 0) {
    const owner = url.searchParams.get("owner");
    const artifacts = of.artifacts.filter(({ ownerUsername }) => ownerUsername === owner);
    return Response.json({ artifacts, nextCursor: null });
  }
  if (kind === "artifacts" && byId !== undefined) {
    const version = url.searchParams.get("version") ?? String(byId.latestVersion);
    if (rest[1] === "versions") return Response.json({ versions: of.versions ?? [], nextCursor: null });
    if (rest[1] === "views") return Response.json({ total: 1_234, days: [{ day: "2026-11-27", views: 1_234 }] });
    if (rest[1] === "preview") return Response.json(previewOf(byId, of.render));
    if (rest[1] === "access" && rest[2] === "audience") {
      return Response.json({
        access: { ...byId.access, viewerEmails: [] },
        see: "1 person can see this",
        edit: "1 person can edit this",
        reach: { see: reach, edit: reach },
        shareLinks: [],
        moreLinks: false,
      });
    }
    if (rest[1] === "access") return Response.json({ ...byId.access, viewerEmails: [] });
    if (rest[1] === "ticket") {
      return Response.json({ url: `${url.origin}/_content/ticket-${version}`, expiresAt: "2026-11-01T09:01:00.000Z" });
    }
    if (rest[1] === "content") {
      return new Response(`# version ${version}`, {
        headers: { "content-type": "text/markdown; charset=utf-8", "x-artifact-version": version },
      });
    }
  }
  if (kind === "workspaces" && rest[0] === of.project.ownerUsername && rest[1] === "projects") {
    return Response.json({ projects: [of.project], nextCursor: null });
  }
  const list = emptyLists[url.pathname.split("/").at(-1) ?? ""];
  if (list !== undefined && request.method === "GET") return Response.json({ [list]: [], nextCursor: null });
  return problem(404, "not_found", requestId);
}

const previewOf = ({ artifactId, latestVersion, url }: Artifact, given: Partial<Preview> = {}): Preview => ({
  artifactId,
  versionNumber: latestVersion,
  url: `${url}?v=${latestVersion}`,
  shownAs: "document",
  errors: [],
  thumbnail: "ready",
  page: { errors: [], console: [] },
  ...given,
});

function problem(status: number, code: Problem["code"], requestId: string, extra: object = {}): Response {
  const body: Problem = { type: `/docs/errors/${code}`, title: code, status, detail: "No.", code, requestId, ...extra };
  return Response.json(body, { status, headers: { "content-type": "application/problem+json" } });
}
