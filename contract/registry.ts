// Every operation by its name. All surfaces, OpenAPI and the authorization matrix iterate over this object; an
// operation that is not in it cannot be called.
import * as access from "./operations/access.ts";
import * as artifacts from "./operations/artifacts.ts";
import * as billing from "./operations/billing.ts";
import * as credentials from "./operations/credentials.ts";
import * as files from "./operations/files.ts";
import * as instance from "./operations/instance.ts";
import * as oauth from "./operations/oauth.ts";
import * as operator from "./operations/operator.ts";
import * as personal from "./operations/personal.ts";
import * as projects from "./operations/projects.ts";
import * as versions from "./operations/versions.ts";
import * as workspaces from "./operations/workspaces.ts";
import type { InputOf, Operation, OutputOf } from "./operation.ts";

const modules = [
  artifacts,
  personal,
  access,
  versions,
  files,
  projects,
  instance,
  workspaces,
  credentials,
  billing,
  oauth,
  operator,
] as const;

type Module = (typeof modules)[number];
/** Each description that a module exports. */
type Described = Module extends infer One ? (One extends Module ? Extract<One[keyof One], Operation> : never) : never;

export type Registry = { readonly [Op in Described as Op["name"]]: Op };

const isOperation = (value: unknown): value is Described =>
  typeof value === "object" && value !== null && "name" in value && "method" in value && "path" in value;

export const registry = Object.fromEntries(
  modules.flatMap((module) =>
    Object.values(module)
      .filter((value) => isOperation(value))
      .map((op) => [op.name, op]),
  ),
) as Registry;

export type OperationName = keyof Registry;
export type Input<Name extends OperationName> = InputOf<Registry[Name]>;
export type Output<Name extends OperationName> = OutputOf<Registry[Name]>;

/** The operations as plain descriptions, for iteration. */
export const operations: readonly (Operation & { readonly name: OperationName })[] = Object.values(registry);
