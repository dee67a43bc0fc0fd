// The versions of an artifact and two of them compared, for readers. Restoring goes by the comparison of what
// would change.
import { historyTexts } from "#messages/history.ts";
import { actorWords } from "#messages/actors.ts";
import type { Actor } from "@plinth/contract/schemas/actor";
import { error, fail, redirect } from "@sveltejs/kit";
import { addressOf, type Asked, askedOf } from "#lib/history/address.ts";
import { clientOf, orErrorPage } from "#lib/server/api.ts";
import { artifactNamed } from "#lib/server/artifact-at.ts";
import { copyCommandsOf } from "#lib/server/copy-commands.ts";
import { compared } from "#lib/server/compared.ts";
import { redirectRenamed } from "#lib/server/renamed.ts";
import { submit } from "#lib/server/submit.ts";
import type { Actions, PageServerLoad } from "./$types";

const pageSize = 100;

/** The first of the page that has this version, so that one may step through a page without its moving. */
const pageWith = (versionNumber: number): number => Math.ceil(versionNumber / pageSize) * pageSize;

export const load: PageServerLoad = async (event) => {
  const client = clientOf(event);
  const named = artifactNamed(event);
  const { to, ...rest } = askedOf(event.url.searchParams) ?? error(404, "Not found");
  const upTo = rest.list ?? (to === null || rest.named || rest.by !== null ? null : pageWith(to));
  const [list, shown] = await orErrorPage(
    Promise.all([
      client.call("version.list", {
        artifactId: named,
        withArtifact: true,
        limit: pageSize,
        ...(upTo === null ? {} : { upTo }),
        ...(rest.named && { named: true }),
        ...(rest.by !== null && { author: rest.by }),
        withAuthors: true,
      }),
      to === null ? null : compared(client, named, { ...rest, to }),
    ]),
  );
  const { artifact } = list;
  if (artifact === undefined) throw new Error("the artifact was asked for");
  redirectRenamed(event, artifact);
  const latest = artifact.latestVersion;
  // What a page compares is its address, which stays so when there is a newer head; and it is asked for at once.
  if (to === null) redirect(307, event.url.pathname + addressOf({ ...rest, to: latest }));
  if (Math.max(to, rest.pinned ?? 1) > latest) error(404, "Not found");
  const asked: Asked = { ...rest, to };
  const as = copyCommandsOf(event);
  return {
    artifact: {
      artifactId: artifact.artifactId,
      ownerUsername: artifact.ownerUsername,
      projectSlug: artifact.projectSlug,
      slug: artifact.slug,
      type: artifact.type,
      title: artifact.title,
      url: artifact.url,
      latest,
    },
    asked,
    copyAs: [
      as(historyTexts().listVersions, "version.list", { artifactId: artifact.artifactId }),
      ...(artifact.permissions.edit
        ? [
            as(historyTexts().restoreVersionN({ version: asked.to }), "version.restore", {
              artifactId: artifact.artifactId,
              versionNumber: asked.to,
            }),
          ]
        : []),
    ],
    edits: artifact.permissions.edit,
    authors: authorsOf(list.authors ?? []),
    versions: list.versions.map(
      ({ versionNumber, name, changelog, sizeBytes, createdAt, createdBy, restoredFrom, expiresAt, prunedAt }) => ({
        versionNumber,
        name,
        changelog,
        sizeBytes,
        createdAt,
        createdBy,
        restoredFrom,
        expiresAt,
        prunedAt: prunedAt ?? null,
      }),
    ),
    pageSize,
    hasMore: list.nextCursor !== null,
    shown,
  };
};

/** By name. */
function authorsOf(actors: readonly Actor[]) {
  const authors = actors.map((actor) => ({ id: actor.id, words: actorWords(actor) }));
  return authors.toSorted((a, b) => a.words.localeCompare(b.words, "en"));
}

export const actions: Actions = {
  name: async (event) => {
    const outcome = await submit(event, "name", async (client, field) => {
      const versionNumber = Number(field.text("version"));
      const name = field.text("name");
      await client.call("version.patch", {
        artifactId: artifactNamed(event),
        versionNumber,
        name: name === "" ? null : name,
      });
      return { movedTo: null };
    });
    if ("status" in outcome) return outcome;
    const query = [...event.url.searchParams].filter(([key]) => !key.startsWith("/"));
    redirect(303, `${event.url.pathname}?${new URLSearchParams(query)}`);
  },
  restore: async (event) => {
    const { owner, project, slug } = event.params;
    const outcome = await submit(event, "restore", async (client, field) => {
      const { artifactId, latestVersion } = await client.call("artifact.getByPath", {
        owner,
        projectSlug: project,
        slug,
      });
      // What would change was shown against the head of then.
      if (field.text("latest") !== String(latestVersion)) return { movedTo: latestVersion, restored: null };
      const versionNumber = Number(field.text("version"));
      await client.call("version.restore", { artifactId, versionNumber });
      return { movedTo: null, restored: versionNumber };
    });
    if ("status" in outcome) return outcome;
    const { movedTo = null, restored = null } = outcome.result ?? {};
    if (movedTo !== null) return fail(409, outcome);
    redirect(303, `/${owner}/${project}/${slug}?restored=${restored}`);
  },
};
