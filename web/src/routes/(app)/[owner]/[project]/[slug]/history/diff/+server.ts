// Two versions compared as a unified diff, for reading in the browser or taking along.
import { error, redirect } from "@sveltejs/kit";
import { askedOf, fromOf } from "#lib/history/address.ts";
import { clientOf, orErrorPage } from "#lib/server/api.ts";
import { artifactNamed } from "#lib/server/artifact-at.ts";
import type { RequestHandler } from "./$types";

export const GET: RequestHandler = async (event) => {
  const { to, pinned } = askedOf(event.url.searchParams) ?? error(404, "Not found");
  const from = to === null ? null : fromOf({ pinned, to });
  // The page says which there are.
  if (to === null || from === null) redirect(307, event.url.pathname.replace(/\/diff$/, ""));
  const wanted = { artifactId: artifactNamed(event), from, to };
  const answer = await orErrorPage(
    clientOf(event).send("version.diff", wanted, { headers: { accept: "text/x-diff" } }),
  );
  return new Response(answer.body, {
    headers: {
      // Read in the browser, where the type it has by right would be downloaded.
      "content-type": "text/plain; charset=utf-8",
      "content-disposition": `inline; filename*=UTF-8''${event.params.slug}-v${from}-v${to}.diff`,
    },
  });
};
