// Two versions compared as a unified diff, for reading in the browser or taking along.
import { error } from "@sveltejs/kit";
import { askedOf, fromOf } from "#lib/history/address.ts";
import { clientOf, orErrorPage } from "#lib/server/api.ts";
import type { RequestHandler } from "./$types";

export const GET: RequestHandler = async (event) => {
  const { owner, project, slug } = event.params;
  const client = clientOf(event);
  const { artifactId, latestVersion } = await orErrorPage(
    client.call("artifact.getByPath", { owner, projectSlug: project, slug }),
  );
  const asked = askedOf(event.url.searchParams, latestVersion) ?? error(404, "Not found");
  const from = fromOf(asked) ?? error(404, "Not found");
  const wanted = { artifactId, from, to: asked.to };
  const answer = await orErrorPage(client.send("version.diff", wanted, { headers: { accept: "text/x-diff" } }));
  return new Response(answer.body, {
    headers: {
      // Read in the browser, where the type it has by right would be downloaded.
      "content-type": "text/plain; charset=utf-8",
      "content-disposition": `inline; filename*=UTF-8''${slug}-v${from}-v${asked.to}.diff`,
    },
  });
};
