// A page of the documentation as the build left it.
import { error } from "@sveltejs/kit";
import { findDocsPage, neighboursOf } from "#lib/server/docs/docs.ts";
import { platformOf } from "#lib/server/platform.ts";
import type { PageServerLoad } from "./$types";

export const csr = false;

export const load: PageServerLoad = async (event) => {
  const { publicUrl } = platformOf(event);
  const found = await findDocsPage(event.url.pathname, publicUrl);
  if (found === undefined) error(404);
  const { url, title, section, description, headings, html } = found;
  return {
    url: publicUrl + url,
    markdownUrl: url === "/docs" ? "/docs/index.md" : `${url}.md`,
    title,
    section,
    description,
    headings,
    html,
    image: `${publicUrl}/og.png`,
    ...(await neighboursOf(url)),
  };
};
