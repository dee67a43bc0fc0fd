// The data of a dashboard. Each part is requested by the names in the URL alone, so that all are requested at once; the
// workspaces come with the visitor's profile.
import { actorWords } from "#messages/actors.ts";
import { pageLimit } from "@plinth/contract/limits";
import type { FoundArtifact } from "@plinth/contract/schemas/artifact";
import type { Project } from "@plinth/contract/schemas/project";
import { error, redirect, type RequestEvent } from "@sveltejs/kit";
import type { DashboardArtifact, DashboardProject } from "#lib/dashboard.ts";
import { dashboardQuery } from "#lib/dashboard-query.ts";
import { clientOf, orErrorPage, orSignIn } from "./api.ts";
import { platformOf } from "./platform.ts";
import { redirectRenamedDashboard } from "./renamed.ts";
import { ownWorkspaces } from "./workspaces.ts";

/** A page can be chosen whole: it is no longer than `bulkLimit`. Divides by 2, 3 and 4 columns. */
const pageSize = 48;

const lastUsed = "plinth_dashboard";

/** The workspaces to choose from, the one of the address, and its projects. Any other is a page that isn't there. */
export async function dashboardFrame(event: RequestEvent, workspaceSlug: string) {
  const [workspaces, { projects, nextCursor }] = await orSignIn(
    event,
    Promise.all([
      ownWorkspaces(event),
      clientOf(event).call("workspace.projects", { workspaceId: workspaceSlug, limit: pageLimit.max }),
    ]),
  );
  const workspace = workspaces.find((one) => one.slug === workspaceSlug) ?? elsewhere(event, projects);
  const { slug, name, kind, role } = workspace;
  remember(event, workspace);
  return {
    workspaces: workspaces.map((one) => ({ slug: one.slug, name: one.name, kind: one.kind })),
    workspace: {
      slug,
      name,
      kind,
      mayPublish: role === "admin" || role === "member",
      administers: role === "admin",
      hasBilling: role === "admin" || role === "billing_admin",
    },
    projects: projects.map(shownProject),
    /** There are more than a page of them, which the column leaves out. */
    hasMoreProjects: nextCursor !== null,
  };
}

/**
 * The workspace is one of the visitor's, and none of that name: its projects say what it is called now. One without any
 * has nothing to be led to but where the visitor's work is.
 */
function elsewhere(event: RequestEvent, [first]: readonly Project[]): never {
  if (first === undefined) redirect(307, "/dashboard");
  redirectRenamedDashboard(event, { ownerUsername: first.ownerUsername });
  error(404, "Not found", { code: "not_found" });
}

/** A page of all the projects of a workspace, newest first. */
export async function dashboardProjects(event: RequestEvent, workspaceId: string) {
  const cursor = event.url.searchParams.get("cursor");
  const { projects, nextCursor } = await orSignIn(
    event,
    clientOf(event).call("workspace.projects", {
      workspaceId,
      limit: pageLimit.max,
      ...(cursor === null ? {} : { cursor }),
    }),
  );
  return { listed: projects.map(shownProject), nextCursor };
}

/** A project that the column leaves out. One that has moved is where it is now, and so is the page that was asked for. */
export async function projectAt(event: RequestEvent, owner: string, projectSlug: string): Promise<DashboardProject> {
  const project = await orErrorPage(clientOf(event).call("project.getByPath", { owner, projectSlug }));
  redirectRenamedDashboard(event, { ownerUsername: project.ownerUsername, projectSlug: project.slug });
  return shownProject(project);
}

/** The artifacts that the address asks for. */
export async function dashboardArtifacts(event: RequestEvent, owner: string, project?: string) {
  const query = dashboardQuery(event.url.searchParams);
  const { q, type, visibility, sort, cursor } = query;
  const { artifacts, nextCursor } = await orSignIn(
    event,
    clientOf(event).call("artifact.list", {
      owner,
      sort,
      limit: pageSize,
      withFavorite: true,
      ...(project === undefined ? {} : { project }),
      ...(q === "" ? {} : { q }),
      ...(type === null ? {} : { type }),
      ...(visibility === null ? {} : { visibility }),
      ...(cursor === null ? {} : { cursor }),
    }),
  );
  const { publicUrl } = platformOf(event);
  return { query, nextCursor, publicUrl, artifacts: artifacts.map((one) => shownArtifact(one, sort === "newest")) };
}

const shownProject = ({ projectId, slug, title, description, icon, artifactCount }: Project): DashboardProject => ({
  projectId,
  slug,
  title,
  description,
  icon,
  artifactCount,
});

const shownArtifact = (artifact: FoundArtifact, byAge: boolean): DashboardArtifact => ({
  artifactId: artifact.artifactId,
  path: `/${artifact.ownerUsername}/${artifact.projectSlug}/${artifact.slug}`,
  projectSlug: artifact.projectSlug,
  slug: artifact.slug,
  type: artifact.type,
  title: artifact.title,
  version: artifact.latestVersion,
  isPublic: artifact.access.publicView,
  time: byAge ? artifact.createdAt : artifact.latestAt,
  author: { kind: artifact.latestBy.type, words: actorWords(artifact.latestBy) },
  permissions: artifact.permissions,
  isFavorite: artifact.isFavorite === true,
});

/** Sets a cookie only where it says something: one's own workspace is where one begins without it. */
function remember(event: RequestEvent, { slug, kind }: { slug: string; kind: string }): void {
  const known = event.cookies.get(lastUsed);
  if (known === slug || (known === undefined && kind === "personal")) return;
  event.cookies.set(lastUsed, slug, {
    path: "/dashboard",
    httpOnly: true,
    sameSite: "lax",
    secure: platformOf(event).publicUrl.startsWith("https:"),
    maxAge: 365 * 24 * 60 * 60,
  });
}

/** The workspace whose dashboard was looked at last in this browser, if it is still one of the visitor's. */
export async function lastDashboard(event: RequestEvent): Promise<string | null> {
  const slug = event.cookies.get(lastUsed);
  if (slug === undefined) return null;
  return (await ownWorkspaces(event)).some((one) => one.slug === slug) ? slug : null;
}
