// The first artifact: a key made on request, the command to run, and whether something has arrived.
import { ProblemError } from "@plinth/contract/client";
import { clientOf, orSignIn } from "#lib/server/api.ts";
import { isDemoDocument } from "#lib/server/demo/demo.ts";
import { platformOf } from "#lib/server/platform.ts";
import { submit } from "#lib/server/submit.ts";
import { requireNamedViewer } from "#lib/server/viewer.ts";
import { scopePresets } from "#lib/scope-words.ts";
import type { Actions, PageServerLoad } from "./$types";

const projectSlug = "notes";

export const load: PageServerLoad = async (event) => {
  event.depends("plinth:first-artifact");
  const [{ username }, { artifacts }] = await orSignIn(
    event,
    Promise.all([requireNamedViewer(event), clientOf(event).call("artifact.listMine", {})]),
  );
  // What came with Plinth is nobody's first.
  const latest = artifacts.find((artifact) => artifact.ownerUsername !== username || !isDemoDocument(artifact));
  return {
    publicUrl: platformOf(event).publicUrl,
    username,
    projectSlug,
    arrived: latest === undefined ? null : { title: latest.title, path: new URL(latest.url).pathname },
  };
};

export const actions: Actions = {
  key: (event) =>
    submit(event, "key", async (client) => {
      await client.call("project.create", { slug: projectSlug, title: "Notes", icon: "📝" }).catch((cause: unknown) => {
        // It is there already, which is all that is needed.
        if (!(cause instanceof ProblemError) || cause.problem.code !== "slug_conflict") throw cause;
      });
      const preset = scopePresets.find(({ id }) => id === "publish");
      const { key } = await client.call("apiKey.create", {
        name: "First artifact",
        scopes: [...(preset?.scopes ?? [])],
      });
      return { key: key ?? "" };
    }),
};
