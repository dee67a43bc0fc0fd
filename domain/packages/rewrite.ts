// A framed html document with the addresses of kept files in place of the URLs that its lock knows. Pure; the published
// source stays as it is.
import { packageAddress } from "./address.ts";
import type { LockEntry, PackageLock } from "./lock.ts";
import { settingsFor } from "./companions.ts";
import type { Reference, Span } from "./reference.ts";

export interface Edit extends Span {
  readonly text: string;
}

export const rewriteHtml = (html: string, references: readonly Reference[], lock: PackageLock): string =>
  edited(html, packageEdits(html, references, lock));

/** The edits, in no order. */
export function packageEdits(html: string, references: readonly Reference[], lock: PackageLock): Edit[] {
  const entries = new Map(lock.entries.map((entry) => [`${entry.use} ${entry.url}`, entry]));
  return references.flatMap((reference) => {
    const entry = entries.get(`${reference.use} ${reference.url}`);
    if (entry === undefined || entry.missing !== null) return [];
    return editsOf(html, reference, addressesOf(entry), settingsFor(entry));
  });
}

/** With the URL's query, which some scripts read from their own address. */
const addressesOf = ({ url, use, files }: LockEntry): string[] => {
  const query = use === "script" || use === "module" ? new URL(url).search : "";
  return files.map((file) => packageAddress(file) + query.replaceAll("'", "%27"));
};

/** `settings` is an expression that runs before the script of the URL. */
function editsOf(
  html: string,
  { place, tag, integrity, use }: Reference,
  addresses: readonly string[],
  settings: string | null,
): Edit[] {
  if (place === null) return [];
  const { start, end, syntax } = place;
  if (syntax === "attribute") {
    const edits = attributeEdits(html, { attribute: place, tag, integrity }, addresses);
    if (settings === null || tag === undefined || use !== "script") return edits;
    return [{ start: tag.start, end: tag.start, text: `<script>${settings}</script>` }, ...edits];
  }
  const [only] = addresses;
  if (only === undefined) return [];
  // An import is of one module.
  if (syntax === "string") {
    const text = JSON.stringify(only);
    return [{ start, end, text: settings === null || use !== "script" ? text : `(${settings},${text})` }];
  }
  if (syntax === "amd") return [{ start, end, text: JSON.stringify(only.replace(/(?:\.js|\/)$/, "")) }];
  if (syntax === "template") return [{ start, end, text: only }];
  return [{ start, end, text: importsOf(syntax, addresses) }];
}

/** Of several files each is a rule; what stands behind the URL, such as media, is the last one's. */
function importsOf(syntax: "css-string" | "css-argument" | "css-url", addresses: readonly string[]): string {
  const quoted = addresses.map((address) => JSON.stringify(address));
  if (syntax === "css-argument") return quoted.join("); @import url(");
  return (syntax === "css-url" ? quoted.map((one) => `url(${one})`) : quoted).join("; @import ");
}

interface AttributePlace {
  readonly attribute: Span;
  readonly tag: Span | undefined;
  readonly integrity: Span | undefined;
}

/** Of several files each has an element; without any the element loads nothing. */
function attributeEdits(
  html: string,
  { attribute, tag, integrity }: AttributePlace,
  addresses: readonly string[],
): Edit[] {
  const name = /^[^=\s]+/.exec(html.slice(attribute.start, attribute.end))?.[0] ?? "src";
  const withoutIntegrity = integrity === undefined ? [] : [{ ...integrity, text: "" }];
  const editsFor = (address: string | undefined): Edit[] => [
    { ...attribute, text: address === undefined ? "" : `${name}="${escaped(address)}"` },
    ...withoutIntegrity,
  ];
  const last = addresses.at(-1);
  if (addresses.length < 2 || tag === undefined) return editsFor(last);
  const source = html.slice(tag.start, tag.end);
  const closing = /^<script/i.test(source) ? "</script>" : "";
  const earlier = addresses.slice(0, -1).map((address) => {
    const inTag = editsFor(address).map(({ start, end, text }) => ({
      start: start - tag.start,
      end: end - tag.start,
      text,
    }));
    return edited(source, inTag) + closing;
  });
  return [{ start: tag.start, end: tag.start, text: earlier.join("") }, ...editsFor(last)];
}

const escaped = (address: string): string => address.replaceAll("&", "&amp;").replaceAll('"', "&quot;");

/** Of edits of the same place the first one is made. */
export function edited(source: string, edits: readonly Edit[]): string {
  let result = "";
  let at = 0;
  for (const { start, end, text } of edits.toSorted((one, other) => one.start - other.start || one.end - other.end)) {
    if (start < at) continue;
    result += source.slice(at, start) + text;
    at = end;
  }
  return result + source.slice(at);
}
