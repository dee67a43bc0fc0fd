// An instance on a dedicated PostgreSQL with a given number of artifacts, and the requests a caller waits for.
import { mkdir } from "node:fs/promises";

import { scaledOut } from "../harness/database.ts";
import { startInstance, type Instance } from "../harness/instance.ts";
import { createPerson, createProject, signIn, type Person } from "../harness/people.ts";
import { withoutScreenshots } from "../harness/process.ts";
import { forgetful, startPostgres, type PostgresServer } from "../harness/postgres.ts";
import { encodeId } from "@plinth/contract/ids";
import { SQL } from "bun";

import { artifactId, largest, owned, workspaceId, type ScaleSize } from "./scale-rows.ts";
import { seedScale, whileSeeding } from "./scale-seed.ts";

type Settings = Readonly<Record<string, string | number>>;

export interface Side {
  readonly size: ScaleSize;
  /** The settings of its PostgreSQL server. */
  readonly settings: Settings;
  readonly server: PostgresServer;
  readonly instance: Instance;
  readonly owner: Person;
  readonly guest: Person;
  readonly projectSlug: string;
  readonly cookie: string;
  /** Spread over all artifacts, so that caches of recent reads do not help. */
  readonly publicOnes: readonly string[];
  stop(): Promise<void>;
}

/** The part of a side that remains while no instance serves it. */
type Seeded = Pick<Side, "size" | "settings" | "owner" | "guest" | "projectSlug" | "publicOnes">;

/** Seeds a database and serves it with these settings. */
export async function openSide(folder: string, size: ScaleSize, settings: Settings): Promise<Side> {
  await mkdir(folder, { recursive: true });
  const server = await startPostgres(folder, { ...forgetful, ...whileSeeding, ...settings });
  const making = await startInstance({ env: envOf(server) });
  const [owner, guest] = [await createPerson(making), await createPerson(making)];
  const { slug: projectSlug, projectId } = await createProject(owner);
  await making.stop();
  await seedScale(server.url, size, { ...owner, projectId, guestEmail: `${guest.username}@example.com` });
  const publicOnes = await somePublic(server.url);
  // Writes everything to disk, so that no measured request waits for it.
  await server.end("SIGINT");
  return serve(folder, { size, settings, owner, guest, projectSlug, publicOnes });
}

/** The same side with additional server settings. */
export async function restarted(side: Side, settings: Settings): Promise<Side> {
  await side.stop();
  return serve(side.server.dataDir, side, settings);
}

async function serve(
  folder: string,
  { size, settings, owner, guest, projectSlug, publicOnes }: Seeded,
  more: Settings = {},
): Promise<Side> {
  const server = await startPostgres(folder, { ...settings, ...more });
  await readAhead(server.url);
  const instance = await startInstance({ env: envOf(server) });
  const cookie = await signIn(instance, owner.userId);
  return {
    ...{ size, settings, owner, guest, projectSlug, publicOnes, server, instance, cookie },
    async stop() {
      await instance.stop();
      await server.end("SIGINT");
    },
  };
}

/**
 * Reads what a server of this size has in its cache after a day of reads. Reads by key, because PostgreSQL caches
 * little of a scan.
 */
async function readAhead(url: string): Promise<void> {
  const database = new SQL(url, { max: 1 });
  for (const setting of ["enable_seqscan", "enable_bitmapscan", "enable_indexonlyscan"])
    await database.unsafe(`SET ${setting} = off`);
  await database.unsafe("SELECT count(type) FROM (SELECT type FROM artifact ORDER BY artifact_id)");
  await database.unsafe("SELECT count(sha256) FROM (SELECT sha256 FROM version ORDER BY artifact_id, version_number)");
  await database.unsafe("SELECT count(size) FROM (SELECT octet_length(data) AS size FROM content ORDER BY sha256)");
  await database.close();
}

// The seeded screenshots have an unknown renderer version, so an instance would capture all of them again.
const envOf = ({ url }: PostgresServer) => ({ ...scaledOut(url), ...withoutScreenshots });

export interface Asked {
  readonly path: string;
  readonly method?: "GET" | "POST";
  readonly body?: unknown;
  readonly as?: "owner" | "guest" | "session";
}

async function somePublic(url: string): Promise<string[]> {
  const database = new SQL(url, { max: 1 });
  const rows = (await database.unsafe(
    "SELECT artifact_id FROM artifact WHERE public_view ORDER BY hashtext(artifact_id::text) LIMIT 500",
  )) as { artifact_id: string }[];
  await database.close();
  return rows.map(({ artifact_id }) => encodeId("art", artifact_id));
}

const ownOf = (n: number): string => artifactId(1 + (n % owned));
const big = encodeURIComponent(largest.slug);

/** Every request that a caller waits for; `n` counts the repetitions. */
export const asks: Readonly<Record<string, (side: Side, n: number) => Asked>> = {
  publish: ({ projectSlug }, n) => ({
    path: "/api/artifacts",
    method: "POST",
    as: "owner",
    body: {
      projectSlug,
      slug: `new-${n}-${crypto.randomUUID()}`,
      type: "md",
      title: "New",
      content: `# New ${crypto.randomUUID()}\n`,
      access: { publicView: true, publicEdit: false },
    },
  }),
  "new version": (_, n) => ({
    path: `/api/artifacts/${ownOf(n)}/versions`,
    method: "POST",
    as: "owner",
    body: { content: `# New ${crypto.randomUUID()}\n` },
  }),
  restore: (_, n) => ({ path: `/api/artifacts/${ownOf(n)}/versions/1/restore`, method: "POST", as: "owner", body: {} }),
  "read, own": (_, n) => ({ path: `/api/artifacts/${ownOf(n)}/content`, as: "owner" }),
  "read, anybody's": ({ publicOnes }, n) => ({ path: `/api/artifacts/${publicOnes[n % publicOnes.length]}/content` }),
  artifact: (_, n) => ({ path: `/api/artifacts/${ownOf(n)}`, as: "owner" }),
  "by path": ({ owner, projectSlug }, n) => ({
    path: `/api/by-path/${owner.username}/${projectSlug}/seeded-${1 + (n % owned)}`,
    as: "owner",
  }),
  versions: (_, n) => ({ path: `/api/artifacts/${ownOf(n)}/versions`, as: "owner" }),
  diff: (_, n) => ({ path: `/api/artifacts/${ownOf(n)}/diff?from=1&to=2`, as: "owner" }),
  "mine: artifacts": () => ({ path: "/api/profile/artifacts", as: "owner" }),
  "mine: deleted": () => ({ path: "/api/profile/artifacts?deleted=true", as: "owner" }),
  "mine: projects": () => ({ path: "/api/profile/projects", as: "owner" }),
  "mine: workspaces": () => ({ path: "/api/workspaces", as: "session" }),
  "largest: artifacts": () => ({ path: `/api/workspaces/${workspaceId(0)}/artifacts`, as: "owner" }),
  "largest: projects": () => ({ path: `/api/workspaces/${workspaceId(0)}/projects`, as: "owner" }),
  "largest: members": () => ({ path: `/api/workspaces/${workspaceId(0)}/members`, as: "owner" }),
  "largest: list": () => ({ path: `/api/artifacts?owner=${big}`, as: "owner" }),
  "largest: by last change": () => ({ path: `/api/artifacts?owner=${big}&sort=updated`, as: "owner" }),
  "largest: by title": () => ({ path: `/api/artifacts?owner=${big}&sort=title`, as: "owner" }),
  "largest: by title, anybody": () => ({ path: `/api/artifacts?owner=${big}&sort=title` }),
  "largest: one project by title": () => ({
    path: `/api/artifacts?owner=${big}&project=${largest.projectSlug}&sort=title`,
    as: "owner",
  }),
  "largest: one project": () => ({ path: `/api/artifacts?owner=${big}&project=${largest.projectSlug}`, as: "owner" }),
  "largest: one project, anybody": () => ({ path: `/api/artifacts?owner=${big}&project=${largest.projectSlug}` }),
  "largest: one project, a guest": () => ({
    path: `/api/artifacts?owner=${big}&project=${largest.projectSlug}`,
    as: "guest",
  }),
  "project, its member": () => ({ path: `/api/by-path/${big}/${largest.projectSlug}`, as: "owner" }),
  "project, a guest": () => ({ path: `/api/by-path/${big}/${largest.projectSlug}`, as: "guest" }),
  "project, anybody": () => ({ path: `/api/by-path/${big}/${largest.projectSlug}` }),
  "public list": () => ({ path: "/api/artifacts" }),
  "list, signed in": () => ({ path: "/api/artifacts", as: "owner" }),
  "list, a guest": () => ({ path: "/api/artifacts", as: "guest" }),
  "public search": (_, n) => ({ path: `/api/artifacts?q=group${n % 10}x` }),
  "search, signed in": (_, n) => ({ path: `/api/artifacts?q=group${n % 10}x`, as: "owner" }),
  "public search, a common word": () => ({ path: "/api/artifacts?q=everywhere" }),
  "search, a common word": () => ({ path: "/api/artifacts?q=everywhere", as: "owner" }),
  "search, a typo": (_, n) => ({ path: `/api/artifacts?q=seeeded+${n}`, as: "owner" }),
  "search in the largest": () => ({ path: `/api/artifacts?q=everywhere&owner=${big}&type=md`, as: "owner" }),
  "list, newest": () => ({ path: "/api/artifacts?sort=newest", as: "owner" }),
  "audit of an artifact": (_, n) => ({ path: `/api/audit-events?artifactId=${ownOf(n)}`, as: "owner" }),
  "audit of the largest": () => ({ path: `/api/workspaces/${workspaceId(0)}/audit-events`, as: "owner" }),
  "audit, mine": () => ({ path: "/api/audit-events", as: "owner" }),
  "share links": (_, n) => ({ path: `/api/artifacts/${ownOf(n)}/share-links`, as: "owner" }),
  "page: own workspace": ({ owner }) => ({ path: `/${owner.username}`, as: "session" }),
  "page: own project": ({ owner, projectSlug }) => ({ path: `/${owner.username}/${projectSlug}`, as: "session" }),
  "page: own dashboard": ({ owner }) => ({ path: `/dashboard/${owner.username}`, as: "session" }),
  "page: dashboard of the largest": () => ({ path: `/dashboard/${big}`, as: "session" }),
  "page: dashboard of the largest, by title": () => ({ path: `/dashboard/${big}?sort=title&view=list`, as: "session" }),
  "page: dashboard of one project of it": () => ({ path: `/dashboard/${big}/p/${largest.projectSlug}`, as: "session" }),
  "page: artifact": ({ owner, projectSlug }, n) => ({
    path: `/${owner.username}/${projectSlug}/seeded-${1 + (n % owned)}`,
    as: "session",
  }),
  "page: history": ({ owner, projectSlug }, n) => ({
    path: `/${owner.username}/${projectSlug}/seeded-${1 + (n % owned)}/history?to=2`,
    as: "session",
  }),
  "page: the largest workspace": () => ({ path: `/${big}`, as: "session" }),
  "page: one project of it": () => ({ path: `/${big}/${largest.projectSlug}`, as: "session" }),
  "page: its activity": () => ({ path: `/settings/workspaces/${big}/activity`, as: "session" }),
  "page: deleted": () => ({ path: "/settings/deleted", as: "session" }),
};

/** Sends one request and waits for the whole answer. @throws if it fails */
export async function askSide(side: Side, { path, method = "GET", body, as }: Asked): Promise<number> {
  const headers: Record<string, string> = { origin: side.instance.origin };
  if (as === "owner" || as === "guest") headers["authorization"] = `Bearer ${side[as].token}`;
  if (as === "session") headers["cookie"] = side.cookie;
  if (body !== undefined) headers["content-type"] = "application/json";
  const init = {
    method,
    headers,
    redirect: "manual",
    ...(body !== undefined && { body: JSON.stringify(body) }),
  } as const;
  const started = performance.now();
  const answer = await fetch(side.instance.origin + path, init);
  const text = await answer.text();
  const ms = performance.now() - started;
  if (answer.status !== 200 && answer.status !== 201)
    throw new Error(`${method} ${path} got ${answer.status}: ${text.slice(0, 500)}`);
  return ms;
}
