// The versions of an artifact and two of them compared, for whoever may see it. Restoring goes by the comparison of what
// would change.
import type { Artifact } from "@plinth/contract/schemas/artifact";
import { error, fail, redirect, type RequestEvent } from "@sveltejs/kit";
import { askedOf } from "#lib/history/address.ts";
import { clientOf, orErrorPage } from "#lib/server/api.ts";
import { compared } from "#lib/server/compared.ts";
import { redirectRenamed } from "#lib/server/renamed.ts";
import { submit } from "#lib/server/submit.ts";
import type { Actions, PageServerLoad } from "./$types";

const pageSize = 100;

export const load: PageServerLoad = async (event) => {
  const artifact = await artifactOf(event);
  redirectRenamed(event, artifact.ownerUsername);
  const { artifactId, latestVersion: latest, permissions } = artifact;
  const asked = askedOf(event.url.searchParams, latest) ?? error(404, "Not found");
  const client = clientOf(event);
  const { cursor } = asked;
  const [list, shown] = await Promise.all([
    orErrorPage(client.call("version.list", { artifactId, limit: pageSize, ...(cursor === null ? {} : { cursor }) })),
    compared(client, artifact, asked),
  ]);
  return {
    artifact: {
      artifactId,
      ownerUsername: artifact.ownerUsername,
      projectSlug: artifact.projectSlug,
      slug: artifact.slug,
      type: artifact.type,
      title: artifact.title,
      url: artifact.url,
      latest,
    },
    asked,
    edits: permissions.edit,
    versions: list.versions.map(
      ({ versionNumber, changelog, sizeBytes, createdAt, createdBy, restoredFrom, expiresAt, prunedAt }) => ({
        versionNumber,
        changelog,
        sizeBytes,
        createdAt,
        createdBy,
        restoredFrom,
        expiresAt,
        prunedAt: prunedAt ?? null,
      }),
    ),
    nextCursor: list.nextCursor,
    shown,
  };
};

export const actions: Actions = {
  restore: async (event) => {
    const artifact = await artifactOf(event);
    const { artifactId, latestVersion } = artifact;
    let restored = 0;
    const outcome = await submit(event, "restore", async (client, field) => {
      // What would change was shown against the head of then.
      if (field.text("latest") !== String(latestVersion)) return { movedTo: latestVersion };
      restored = Number(field.text("version"));
      await client.call("version.restore", { artifactId, versionNumber: restored });
      return { movedTo: null };
    });
    if ("status" in outcome) return outcome;
    if (outcome.result?.movedTo !== null) return fail(409, outcome);
    redirect(303, `${pathOf(artifact)}?restored=${restored}`);
  },
};

async function artifactOf(event: RequestEvent): Promise<Artifact> {
  const { owner = "", project = "", slug = "" } = event.params;
  return orErrorPage(clientOf(event).call("artifact.getByPath", { owner, projectSlug: project, slug }));
}

const pathOf = ({ ownerUsername, projectSlug, slug }: Artifact): string => `/${ownerUsername}/${projectSlug}/${slug}`;
