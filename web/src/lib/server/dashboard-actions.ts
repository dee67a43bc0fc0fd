// The forms of a dashboard: many artifacts at once, one of them, and projects. Each is an operation or a row of them.
import { ProblemError, type Client } from "@plinth/contract/client";
import { entitlementsOf } from "@plinth/contract/plans";
import { titleLength } from "@plinth/contract/limits";
import { errorCodes } from "@plinth/contract/errors";
import { slugOfTitle } from "@plinth/contract/publishing/slug";
import { redirect, type RequestEvent } from "@sveltejs/kit";
import { bulkLimit, type BulkAction, type BulkOutcome, type Refused } from "#lib/bulk-outcome.ts";
import { demoSlug } from "#lib/demo-project.ts";
import { refusalOf } from "#lib/form-outcome.ts";
import { addDemo, untouchedDemo } from "./demo/demo.ts";
import { dashboardTexts } from "#messages/dashboard.ts";
import { inTurns } from "./in-turns.ts";
import { submit, type Fields } from "./submit.ts";
import { requireWorkspace } from "./workspaces.ts";

/** So many calls for one person's form are under way together. */
const atOnce = 4;

type Work = (client: Client, artifactId: string, field: Fields) => Promise<unknown>;

const bulk =
  <const Action extends BulkAction>(action: Action, work: Work) =>
  (event: RequestEvent) =>
    submit(event, action, async (client, field): Promise<BulkOutcome> => {
      const ids = [...new Set(field.all("artifactId"))];
      const { done, refused } = await eachOf(client, ids.slice(0, bulkLimit), (id) => work(client, id, field));
      return { done, refused: [...refused, ...ids.slice(bulkLimit).map((id) => tooMany(event, id))] };
    });

/** A refusal for one does not keep the others from being done. @throws ProblemError where the session has ended */
async function eachOf(
  client: Client,
  ids: readonly string[],
  work: (artifactId: string) => Promise<unknown>,
): Promise<BulkOutcome> {
  const all = await inTurns(ids, atOnce, (id) => refusalTo(client, id, () => work(id)));
  const refused = all.filter((one) => one !== null);
  return { done: ids.filter((id) => refused.every(({ artifactId }) => artifactId !== id)), refused };
}

/** Null where it was done. @throws ProblemError where the session has ended: nothing else would be done either */
async function refusalTo(client: Client, artifactId: string, work: () => Promise<unknown>): Promise<Refused | null> {
  try {
    await work();
    return null;
  } catch (cause) {
    if (!(cause instanceof ProblemError) || cause.problem.status === 401) throw cause;
    return { artifactId, title: await titleOf(client, artifactId), problem: refusalOf(cause.problem) };
  }
}

/** A project that is not empty, or that only an admin may delete, stays. */
async function unlessRefused(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (cause) {
    if (!(cause instanceof ProblemError) || cause.problem.status === 401) throw cause;
  }
}

async function titleOf(client: Client, artifactId: string): Promise<string | null> {
  try {
    return (await client.call("artifact.get", { artifactId })).title;
  } catch (cause) {
    // Gone, or the API is: what was refused is said without a title.
    if (cause instanceof ProblemError) return null;
    throw cause;
  }
}

const tooMany = ({ locals }: RequestEvent, artifactId: string): Refused => ({
  artifactId,
  title: null,
  problem: refusalOf({
    type: "/docs/errors/invalid_request",
    ...errorCodes.invalid_request,
    code: "invalid_request",
    detail: dashboardTexts().tooMany({ limit: bulkLimit }),
    requestId: locals.requestId,
  }),
});

/** Keeps the allowlist; a private artifact has no editors outside the workspace. */
const setVisibility =
  (publicView: boolean): Work =>
  async (client, artifactId) => {
    const { publicEdit, viewerEmails } = await client.call("access.get", { artifactId });
    await client.call("access.update", { artifactId, publicView, publicEdit: publicView && publicEdit, viewerEmails });
  };

/** The latest version as a new artifact beside it, with its files and an empty allowlist. */
const duplicate: Work = async (client, artifactId) => {
  const artifact = await client.call("artifact.get", { artifactId });
  const { ownerUsername, projectSlug, latestVersion, type, description, workspaceId } = artifact;
  const [content, { files, base }, { suggestion }] = await Promise.all([
    client.call("version.content", { artifactId }),
    client.call("version.files", { artifactId, versionNumber: latestVersion }),
    client.call("artifact.slugAvailability", { owner: ownerUsername, projectSlug, slug: artifact.slug }),
  ]);
  const title = dashboardTexts().copyOf(artifact);
  await client.call("artifact.createInWorkspace", {
    workspaceId,
    projectSlug,
    slug: suggestion ?? `${artifact.slug}-copy`,
    type,
    title: Array.from(title).slice(0, titleLength).join(""),
    ...(description === null ? {} : { description }),
    content,
    ...(files.length === 0
      ? {}
      : {
          files: files.map(({ path, sha256 }) => ({ path, sha256 })),
          documentPath: `${base}${artifact.slug}.${type}`,
        }),
    access: { publicView: artifact.access.publicView, publicEdit: false },
  });
};

const dashboardOf = ({ params }: RequestEvent, projectSlug?: string): string =>
  `/dashboard/${params["workspaceSlug"]}${projectSlug === undefined ? "" : `/p/${projectSlug}`}`;

/** As written, or made of what else is known. */
const slugOf = async (field: Fields): Promise<string> =>
  field.text("slug") || ((await slugOfTitle(field.text("title"))) ?? "");
const iconOf = (field: Fields): string => field.text("icon") || ([...field.text("title")][0] ?? "").toUpperCase();

export const dashboardActions = {
  publish: bulk("publish", setVisibility(true)),
  hide: bulk("hide", setVisibility(false)),
  move: bulk("move", (client, artifactId, field) =>
    client.call("artifact.patch", { artifactId, projectSlug: field.text("projectSlug") }),
  ),
  duplicate: bulk("duplicate", duplicate),
  delete: bulk("delete", (client, artifactId) => client.call("artifact.delete", { artifactId })),
  undo: bulk("undo", (client, artifactId) => client.call("artifact.undelete", { artifactId })),

  rename: (event: RequestEvent) =>
    submit(event, "rename", async (client, field) => {
      await client.call("artifact.patch", { artifactId: field.text("artifactId"), title: field.text("title") });
    }),

  favorite: (event: RequestEvent) =>
    submit(event, "favorite", (client, field) =>
      client.call(field.text("favorite") === "true" ? "favorite.add" : "favorite.remove", {
        artifactId: field.text("artifactId"),
      }),
    ),

  address: (event: RequestEvent) =>
    submit(event, "address", async (client, field) => {
      const { ownerUsername, projectSlug, slug } = await client.call("artifact.patch", {
        artifactId: field.text("artifactId"),
        projectSlug: field.text("projectSlug"),
        slug: field.text("slug"),
      });
      return { path: `/${ownerUsername}/${projectSlug}/${slug}` };
    }),

  createProject: async (event: RequestEvent) => {
    const outcome = await submit(event, "createProject", async (client, field) =>
      client.call("project.create", {
        ownerUsername: event.params["workspaceSlug"] ?? "",
        title: field.text("title"),
        slug: await slugOf(field),
        icon: iconOf(field),
      }),
    );
    if ("status" in outcome || outcome.result === undefined) return outcome;
    redirect(303, dashboardOf(event, outcome.result.slug));
  },

  editProject: async (event: RequestEvent) => {
    const outcome = await submit(event, "editProject", async (client, field) =>
      client.call("project.update", {
        projectId: field.text("projectId"),
        title: field.text("title"),
        description: field.text("description") || null,
        slug: await slugOf(field),
        icon: iconOf(field),
      }),
    );
    if ("status" in outcome || outcome.result === undefined) return outcome;
    redirect(303, dashboardOf(event, outcome.result.slug));
  },

  addDemo: async (event: RequestEvent) => {
    const owner = event.params["workspaceSlug"] ?? "";
    const outcome = await submit(event, "addDemo", async (client) => {
      const { plan } = await requireWorkspace(event, owner);
      await addDemo(client, { owner, hasPrivate: entitlementsOf(plan).privateArtifacts });
    });
    if ("status" in outcome) return outcome;
    redirect(303, dashboardOf(event, demoSlug));
  },

  /** Answered as any deletion is, by the page of the workspace: the project's own is gone, unless there is more in it. */
  removeDemo: async (event: RequestEvent) => {
    const outcome = await submit(event, "delete", async (client): Promise<BulkOutcome> => {
      const { projectId, artifactIds } = await untouchedDemo(client, event.params["workspaceSlug"] ?? "");
      const removed = await eachOf(client, artifactIds, (artifactId) => client.call("artifact.delete", { artifactId }));
      await unlessRefused(client.call("project.delete", { projectId }));
      return removed;
    });
    if ("status" in outcome || outcome.result === undefined) return outcome;
    if (outcome.result.done.length + outcome.result.refused.length > 0) return outcome;
    redirect(303, dashboardOf(event));
  },

  deleteProject: async (event: RequestEvent) => {
    const outcome = await submit(event, "deleteProject", (client, field) =>
      client.call("project.delete", { projectId: field.text("projectId") }),
    );
    if ("status" in outcome) return outcome;
    redirect(303, dashboardOf(event));
  },
};
