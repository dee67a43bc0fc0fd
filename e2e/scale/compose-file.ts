// Reads compose.yaml as Docker does: merge keys, and variables with defaults and requirements. Knows the features that
// the file uses, and refuses others.
import { parse } from "yaml";
import { join } from "node:path";

import { repository } from "../harness/process.ts";

export type Variables = Readonly<Record<string, string>>;

export interface Service {
  readonly image: string;
  readonly build?: string;
  readonly command?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly deploy?: { readonly replicas: number };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean };
  readonly networks?: readonly string[];
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly cap_drop?: readonly string[];
  readonly restart?: string;
  readonly user?: string;
  readonly read_only?: boolean;
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: Readonly<Record<string, { internal?: boolean; ipam?: { config: { subnet: string }[] } }>>;
  readonly volumes: Readonly<Record<string, object>>;
}

/** @throws Error that names a variable which the file requires and the caller did not give */
export async function readCompose(variables: Variables): Promise<ComposeFile> {
  const text = await Bun.file(join(repository, "compose.yaml")).text();
  const file: unknown = parse(text, { merge: true });
  return interpolated(file, variables) as ComposeFile;
}

/** The value of a string of the file, without comments and with anchors resolved. */
function interpolated(value: unknown, variables: Variables): unknown {
  if (typeof value === "string") return interpolate(value, variables);
  if (Array.isArray(value)) return value.map((item) => interpolated(item, variables));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, interpolated(inner, variables)]));
}

/** `${NAME:?why}` requires, `${NAME:-otherwise}` does not. */
const interpolate = (text: string, variables: Variables): string =>
  text.replaceAll(/\$(?:\{(\w+)(?::([-?])([^}]*))?\}|(.?))/g, (all, name?: string, kind?: string, rest = "") => {
    if (name === undefined || kind === undefined) throw new Error(`compose.yaml: ${all} is not understood`);
    const given = variables[name] ?? "";
    if (given !== "") return given;
    if (kind === "?") throw new Error(`compose.yaml demands ${name}: ${rest}`);
    return rest;
  });

/** Lines `NAME=value` of an `.env` file, without comments. */
export const readVariables = (text: string): Variables =>
  Object.fromEntries(
    text
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"))
      .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
