// The operator's branding of the instance, for its pages. Must not import Svelte or Kit, because small scripts may
// import it.
import type { ShownSite } from "../../site.ts";

let read = (): ShownSite => JSON.parse(document.documentElement.dataset["site"] ?? "{}") as ShownSite;

/** Empty where the operator gave it no name, logo or paragraph. In the browser it comes from `<html data-site>`. */
export const shownSite = (): ShownSite => read();

export const siteName = (): string => shownSite().name ?? "Plinth";

/** The attribute of `<html>` that tells the browser. */
export const siteAttribute = (site: ShownSite): string =>
  Object.keys(site).length === 0 ? "" : ` data-site="${Bun.escapeHTML(JSON.stringify(site))}"`;

/** Says where the server finds it. Called once, by hooks.server.ts. */
export function readSiteBy(reader: () => ShownSite): void {
  read = reader;
}
