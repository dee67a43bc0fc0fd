// The layers of the domain's folders. Generates the lint rules in .oxlintrc.json that keep the folders apart.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { root } from "./step.ts";

/**
 * From the lowest layer to the highest. A folder imports from lower layers only, type imports included, and never from
 * its own layer. A file outside the layers (`domain/handlers.ts`) is between the files that it imports and those that
 * import it: folder-graph.test.ts.
 */
export const domainLayers = [
  // These know no rows and no callers.
  ["diff", "edits", "fetching", "leases", "render", "search", "storage", "tokens"],
  ["packages", "queue"],
  ["images"],
  ["access", "threads"],
  ["files"],
  // These serve every feature.
  ["audit", "content", "events", "plans"],
  // Features.
  ["billing", "credentials", "doctor", "identity", "mail", "projects", "sharing"],
  ["artifacts", "workspaces"],
  ["operator", "thumbnails", "versions"],
  ["retention"],
  ["jobs"],
  // The stages of a request, over the table of all handlers.
  ["request"],
] as const satisfies readonly (readonly string[])[];

/** Test support, which may import from any layer: tests, their fixtures, and reference models. */
export const testSupport = [
  "**/*.test.ts",
  "**/*.case.ts",
  "**/*.child.ts",
  "**/test/**",
  "**/testing.ts",
  "**/testing/**",
] as const;

const restriction = "no-restricted-imports";

interface Pattern {
  readonly regex?: string;
  readonly group?: readonly string[];
  readonly message: string;
}

interface Override {
  readonly files: readonly string[];
  readonly rules: Readonly<Record<string, unknown>>;
}

/** The part of .oxlintrc.json that this module reads and writes. */
export interface LintConfiguration {
  readonly overrides: readonly Override[];
}

const allOfDomain = "domain/**";
const ofLayer = (layer: readonly string[]): string[] => layer.map((folder) => `domain/${folder}/**`);

/**
 * The configuration with a rule for each layer, except for test support. Each rule follows the rule of the whole domain
 * and repeats it, because only the last rule that matches a file applies.
 */
export function withLayers<Configuration extends LintConfiguration>(configuration: Configuration): Configuration {
  const isLayer = ({ files }: Override): boolean => files.every((file) => /^domain\/[\w-]+\/\*\*$/.test(file));
  const overrides = configuration.overrides.filter((override) => !isLayer(override));
  const at = overrides.findIndex(({ files }) => files.includes(allOfDomain));
  const rule = overrides[at]?.rules[restriction];
  if (rule === undefined) throw new Error(`.oxlintrc.json has no ${restriction} for ${allOfDomain}`);
  const [, { patterns }] = rule as [string, { readonly patterns: readonly Pattern[] }];
  const layers = domainLayers.map((layer, floor): Override => {
    const refused = domainLayers.slice(floor).flat().join("|");
    const pattern = {
      regex: `^(\\.\\./)+(${refused})/`,
      message: "A folder of the domain imports those of lower layers alone (scripts/layers.ts).",
    };
    return { files: ofLayer(layer), rules: { [restriction]: ["error", { patterns: [...patterns, pattern] }] } };
  });
  const exempt = testSupport.map((pattern) => `domain/${pattern}`);
  const others = overrides.map((override) =>
    override.files.includes("domain/**/*.test.ts") ? { ...override, files: exempt } : override,
  );
  return { ...configuration, overrides: others.toSpliced(at + 1, 0, ...layers) };
}

const path = join(root, ".oxlintrc.json");

export const readConfiguration = (): LintConfiguration => JSON.parse(readFileSync(path, "utf8")) as LintConfiguration;

if (import.meta.main) writeFileSync(path, `${JSON.stringify(withLayers(readConfiguration()), null, 2)}\n`);
