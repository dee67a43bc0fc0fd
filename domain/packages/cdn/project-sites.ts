// Reads the table of projects' own sites (project-sites.txt), and has the forms of URL that no pattern says.
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { npmVersion } from "./library-cdns.ts";
import { fileOf, isPackageName, type Mapping } from "./package-file.ts";

interface Site {
  readonly hosts: readonly string[];
  readonly path: RegExp;
  readonly package: string;
  readonly version: string;
  readonly file: string;
  readonly isExact: boolean;
  /** What a part of the path is called on npm. */
  readonly names: readonly { readonly part: string; readonly from: string; readonly to: string }[];
}

const shorthands: Readonly<Record<string, string>> = {
  "<ending>": String.raw`(?<ending>(?:\.min)?\.js)`,
  "<path>": "(?<path>.+)",
  "<version>": String.raw`(?<version>\d[\w.-]*?)`,
};

let table: readonly Site[] | null = null;

/** Read once in a process. */
export function projectSites(): readonly Site[] {
  table ??= readFileSync(join(import.meta.dir, "project-sites.txt"), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map(siteOf);
  return table;
}

function siteOf(line: string): Site {
  const [hosts = "", path = "", named = "", file = "", ...names] = line.split(/ {2,}/);
  const at = named.lastIndexOf("@");
  const pattern = path.replaceAll(/(?<!\(\?)<\w+>/g, (name) => shorthands[name] ?? name);
  return {
    hosts: hosts.split(","),
    path: new RegExp(`^${pattern}$`),
    package: named.slice(0, at),
    version: named.slice(at + 1),
    file: file.replace(/^=/, ""),
    isExact: file.startsWith("="),
    names: names.flatMap((one) => {
      const [part = "", list = ""] = one.split(":");
      return list.split(",").map((pair) => {
        const [from = "", to = ""] = pair.split("=");
        return { part, from, to };
      });
    }),
  };
}

/** The row of a URL. */
export const siteAt = ({ hostname, pathname }: URL): Site | undefined =>
  projectSites().find(({ hosts, path }) => hosts.some((host) => isHost(hostname, host)) && path.test(pathname));

const isHost = (hostname: string, host: string): boolean =>
  host.startsWith("*") ? hostname.endsWith(host.slice(1)) : hostname === host;

/** What the table says of a URL; null where no row matches. */
export function siteFile(url: URL): Mapping {
  const site = siteAt(url);
  if (site === undefined) return null;
  const parts = site.path.exec(url.pathname)?.groups ?? {};
  const filled = (template: string): string =>
    template.replaceAll(/<(\w+)>/g, (_whole, part: string) => {
      const text = parts[part] ?? "";
      return site.names.find((name) => name.part === part && name.from === text)?.to ?? text;
    });
  const [name, version] = [filled(site.package), filled(site.version)];
  if (!isPackageName(name)) return null;
  return fileOf(name, npmVersion(name, version), filled(site.file), site.isExact ? "path" : "ending");
}

/** The plug-ins of Tailwind's third version that its package has scripts with. */
const tailwindPlugins = new Set(["aspect-ratio", "container-queries", "forms", "line-clamp", "typography"]);

/**
 * Tailwind's third version for browsers: `/3.4.1?plugins=forms,typography@0.5`. Its exact versions are on npm in part, so the
 * nearest newer one is meant.
 */
export function tailwind({ pathname, searchParams }: URL): Mapping {
  if (!/^\/(?:3(?:\.\d+){0,2})?$/.test(pathname)) return null;
  const asked = (searchParams.get("plugins") ?? "").split(",").map((plugin) => plugin.replace(/@.*$/, "").trim());
  // The last is part of Tailwind by now.
  const [only, ...more] = [...new Set(asked)].filter(
    (plugin) => tailwindPlugins.has(plugin) && plugin !== "line-clamp",
  );
  const entry = { by: "entry", fields: ["jsdelivr", "unpkg", "browser", "main"] } as const;
  const file = `tailwindcss-with-${more.length > 0 ? "all-plugins" : only}.js`;
  return [{ name: "tailwindcss-cdn", range: "3", find: only === undefined ? entry : { by: "path", path: file } }];
}

/** Polyfills for browsers that no longer exist: an empty script. */
export const nothing = (): Mapping => [];
