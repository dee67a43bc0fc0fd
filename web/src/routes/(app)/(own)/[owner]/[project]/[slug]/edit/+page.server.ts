// Writing an artifact's next version: its text as it stands, for a caller who can change it, and the form without script.
import type { Artifact } from "@plinth/contract/schemas/artifact";
import { error, redirect, type RequestEvent } from "@sveltejs/kit";
import { loginAddress } from "#lib/next-path.ts";
import { stored } from "#lib/editing/text-form.ts";
import { clientOf, orErrorPage } from "#lib/server/api.ts";
import { artifactAt, artifactNamed } from "#lib/server/artifact-at.ts";
import { longestInPage } from "#lib/server/form-size.ts";
import { platformOf } from "#lib/server/platform.ts";
import { refuseRole } from "#lib/server/refuse-role.ts";
import { submit } from "#lib/server/submit.ts";
import { hasSession, viewerOf } from "#lib/server/viewer.ts";
import { editingTexts } from "#messages/editing.ts";
import type { Actions, PageServerLoad } from "./$types";

export const load: PageServerLoad = async (event) => {
  // All at once; whether the text may be changed is said by the artifact, and comes first.
  const asked = Promise.allSettled([headOf(event), viewerOf(event)]);
  const artifact = await editableArtifact(event);
  const { artifactId } = artifact;
  const [head, viewer] = await asked;
  if (head.status === "rejected") return orErrorPage(Promise.reject(head.reason));
  const { version, source, sizeBytes } = head.value;
  return {
    artifact: {
      artifactId,
      ownerUsername: artifact.ownerUsername,
      projectSlug: artifact.projectSlug,
      slug: artifact.slug,
      type: artifact.type,
      title: artifact.title,
      sourcePath: artifact.sourcePath,
      publicView: artifact.access.publicView,
    },
    version,
    source,
    sizeBytes,
    account: viewer.status === "fulfilled" ? (viewer.value?.userId ?? null) : null,
    maxBytes: platformOf(event).maxContentBytes,
    fromFiles: event.url.searchParams.get("from") === "file",
    isDropped: event.url.searchParams.get("from") === "drop",
  };
};

export const actions: Actions = {
  save: async (event) => {
    await editableArtifact(event);
    const outcome = await submit(
      event,
      "save",
      async (client, field) => {
        const base = Number(field.text("base"));
        const changelog = field.text("note");
        return client.call("version.create", {
          // The one whose text was shown, even if another artifact has the address now.
          artifactId: field.text("artifactId"),
          content: stored(field.all("content")[0] ?? "", field.text("ending") === "crlf" ? "\r\n" : "\n"),
          ...(changelog === "" ? {} : { changelog }),
          // A value that is no number goes on as it is, to be refused in the API's words.
          expectedLatestVersion: base,
        });
      },
      { isKnown: true },
    );
    if ("status" in outcome) return outcome;
    redirect(303, event.url.pathname.replace(/\/edit$/, ""));
  },
};

/** The head's text, unless it is long, and which version that is. @throws ProblemError */
async function headOf(event: RequestEvent): Promise<{ version: number; source: string | null; sizeBytes: number }> {
  const answer = await clientOf(event).send("version.content", { artifactId: artifactNamed(event) });
  const version = Number(answer.headers.get("x-artifact-version"));
  const sizeBytes = Number(answer.headers.get("content-length"));
  if (sizeBytes <= longestInPage) return { version, source: await answer.text(), sizeBytes };
  await answer.body?.cancel();
  return { version, source: null, sizeBytes };
}

/** The artifact at the address. A caller who can only see it gets a refusal, or is led to signing in. */
async function editableArtifact(event: RequestEvent): Promise<Artifact> {
  const artifact = await artifactAt(event);
  if (artifact.permissions.edit) return artifact;
  if (!hasSession(event)) redirect(303, loginAddress(event.url));
  const text = editingTexts();
  const { workspaces = [] } = (await orErrorPage(viewerOf(event))) ?? {};
  const workspace = workspaces.find(({ slug }) => slug === artifact.ownerUsername);
  if (workspace !== undefined) return refuseRole(event, workspace, text.requiresMember);
  error(403, "Not for this role", { code: "forbidden", missing: text.cannotEdit });
}
