// Owns the layers of the domain's folders, and writes the lint rules that hold the folders apart into .oxlintrc.json.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { root } from "./step.ts";

/**
 * From the ground up. A folder imports those of the layers below, type imports included, and none beside it. A file that is
 * in none of them (`domain/invoke.ts`) stands between the files it imports and those that import it: folder-graph.test.ts.
 */
export const domainLayers = [
  // Know no rows and no callers.
  ["diff", "render", "search", "storage", "tokens"],
  ["queue", "runtime"],
  ["access", "threads"],
  // Serve every feature.
  ["content", "plans", "records", "watching"],
  // Features.
  ["billing", "credentials", "doctor", "identity", "mail", "projects", "share-links"],
  ["access-object", "artifacts", "workspaces"],
  ["operator", "thumbnails", "versions"],
  ["retention"],
  ["jobs"],
] as const satisfies readonly (readonly string[])[];

/** What serves tests alone, and may reach up: tests, their set-ups, and the models that they compare with. */
export const testSupport = [
  "**/*.test.ts",
  "**/*.child.ts",
  "**/testing.ts",
  "**/testing/**",
  "domain/access/lists-agree.ts",
  "domain/access/list-worlds.ts",
  "domain/access/matrix/**",
  "domain/billing/histories.ts",
  "domain/billing/oracle.ts",
  "domain/billing/matrix/**",
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

/** As much of .oxlintrc.json as is read and written here. */
export interface LintConfiguration {
  readonly overrides: readonly Override[];
}

const allOfDomain = "domain/**";
const ofLayer = (layer: readonly string[]): string[] => layer.map((folder) => `domain/${folder}/**`);

/**
 * The configuration with a rule for each layer, and none for what serves tests. Each stands behind the rule of the whole
 * domain and repeats it, because the last one that fits a file is the only one that holds.
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
  const exempt = [
    "domain/**/*.test.ts",
    "domain/**/testing.ts",
    ...testSupport.filter((file) => file.startsWith("domain/")),
  ];
  const others = overrides.map((override) =>
    override.files.includes("domain/**/*.test.ts") ? { ...override, files: exempt } : override,
  );
  return { ...configuration, overrides: others.toSpliced(at + 1, 0, ...layers) };
}

const path = join(root, ".oxlintrc.json");

export const readConfiguration = (): LintConfiguration => JSON.parse(readFileSync(path, "utf8")) as LintConfiguration;

if (import.meta.main) writeFileSync(path, `${JSON.stringify(withLayers(readConfiguration()), null, 2)}\n`);
