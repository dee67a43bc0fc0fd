// The packages that a version loads, and the retry of missing ones. It works without a script.
import { redirect } from "@sveltejs/kit";
import { shownPackages } from "#lib/shown-packages.ts";
import { clientOf } from "#lib/server/api.ts";
import { artifactNamed, versionAt } from "#lib/server/artifact-at.ts";
import { submit } from "#lib/server/submit.ts";
import type { Actions, PageServerLoad } from "./$types";

export const csr = false;

export const load: PageServerLoad = async (event) => {
  const { artifact, version, shown } = await versionAt(event, (key) => clientOf(event).call("version.packages", key));
  const { latestVersion, permissions, ownerUsername, projectSlug, slug, title, url } = artifact;
  return {
    artifact: { ownerUsername, projectSlug, slug, title, url, latestVersion },
    version,
    packages: shown.packages,
    canRetry: permissions.edit && shownPackages(shown.packages).canRetry,
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
