// The packages that a version loads, and the retry of missing ones. It works without a script.
import { error, redirect } from "@sveltejs/kit";
import { shownPackages } from "#lib/shown-packages.ts";
import { clientOf, orErrorPage } from "#lib/server/api.ts";
import { artifactAt, artifactNamed } from "#lib/server/artifact-at.ts";
import { submit } from "#lib/server/submit.ts";
import { versionAsked } from "#lib/version-number.ts";
import type { Actions, PageServerLoad } from "./$types";

export const csr = false;

export const load: PageServerLoad = async (event) => {
  const given = event.url.searchParams.get("v");
  const artifactId = artifactNamed(event);
  const named = given !== null && /^[1-9]\d{0,8}$/.test(given) ? Number(given) : null;
  const [artifact, list] = await Promise.all([
    artifactAt(event),
    named === null ? null : orErrorPage(clientOf(event).call("version.packages", { artifactId, versionNumber: named })),
  ]);
  const { latestVersion, permissions, ownerUsername, projectSlug, slug, title, url } = artifact;
  const version = versionAsked(event.url.searchParams, latestVersion) ?? error(404, "Not found");
  // What the page shows is its address, which stays so when there is a newer version.
  if (list === null) redirect(307, `${event.url.pathname}?v=${version}`);
  return {
    artifact: { ownerUsername, projectSlug, slug, title, url, latestVersion },
    version,
    packages: list.packages,
    canRetry: permissions.edit && shownPackages(list.packages).canRetry,
  };
};

export const actions: Actions = {
  retry: async (event) => {
    const outcome = await submit(event, "retry", (client, field) =>
      client.call("version.retryPackages", {
        artifactId: artifactNamed(event),
        versionNumber: Number(field.text("version")),
      }),
    );
    if ("status" in outcome) return outcome;
    redirect(303, `${event.url.pathname}?v=${outcome.result?.versionNumber}`);
  },
};
