// The documentation, loaded with the first request for a page of it: pages by their URL, with this instance's URL in the
// examples.
import type { Documentation, DocsPage } from "./documentation.ts";

/** What examples call an instance. */
const exampleUrl = "https://plinth.example.com";

let loading: Promise<Documentation> | undefined;
export const loadDocs = (): Promise<Documentation> =>
  (loading ??= import("virtual:docs").then(({ default: documentation }) => documentation));

/** The page at a URL; undefined where there is none. */
export async function findDocsPage(url: string, publicUrl: string): Promise<DocsPage | undefined> {
  const { pages } = await loadDocs();
  const page = pages.find((one) => one.url === url);
  if (page === undefined || !page.isOfInstance) return page;
  return {
    ...page,
    html: page.html.replaceAll(exampleUrl, publicUrl),
    markdown: page.markdown.replaceAll(exampleUrl, publicUrl),
  };
}

interface DocsLink {
  readonly url: string;
  readonly label: string;
}

interface DocsSection {
  readonly title: string;
  readonly links: readonly DocsLink[];
}

/** The list beside the pages. */
export async function docsSections(): Promise<DocsSection[]> {
  const listed = (await loadDocs()).pages.filter(({ isListed }) => isListed);
  return [...Map.groupBy(listed, ({ section }) => section)].map(([title, pages]) => ({
    title,
    links: pages.map(({ url, label }) => ({ url, label })),
  }));
}

/** The pages before and after one in the order of reading; null at the ends and for a page that is not listed. */
export async function neighboursOf(url: string): Promise<{ previous: DocsLink | null; next: DocsLink | null }> {
  const listed = (await loadDocs()).pages.filter(({ isListed }) => isListed);
  const at = listed.findIndex((page) => page.url === url);
  const link = (page: DocsPage | undefined) => (page === undefined ? null : { url: page.url, label: page.title });
  return at === -1
    ? { previous: null, next: null }
    : { previous: link(at === 0 ? undefined : listed[at - 1]), next: link(listed[at + 1]) };
}
