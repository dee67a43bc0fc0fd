// The cases of all operations: one that is missing does not compile. What a test asks of a case by the operation's name.
import type { AuditKind } from "../audit-kinds.ts";
import type { ErrorCode } from "../errors.ts";
import { nameInTool, type Tool } from "../mcp/tools.ts";
import { registry, type OperationName } from "../registry.ts";
import type { Operation } from "../operation.ts";
import { accessCases } from "../operations/access.case.ts";
import { artifactCases } from "../operations/artifacts.case.ts";
import { billingCases } from "../operations/billing.case.ts";
import { credentialCases } from "../operations/credentials.case.ts";
import { fileCases } from "../operations/files.case.ts";
import { instanceCases } from "../operations/instance.case.ts";
import { oauthCases } from "../operations/oauth.case.ts";
import { operatorCases } from "../operations/operator.case.ts";
import { personalCases } from "../operations/personal.case.ts";
import { projectCases } from "../operations/projects.case.ts";
import { versionCases } from "../operations/versions.case.ts";
import { workspaceCases } from "../operations/workspaces.case.ts";
import type { Caller, Events, Fields, OperationCase, Refusal, Setting, Fixtures } from "./case.ts";
import type { State } from "./rules.ts";
import { settingOf } from "./fixtures.ts";

const cases: { readonly [Name in OperationName]: OperationCase<Name> } = {
  ...accessCases,
  ...artifactCases,
  ...billingCases,
  ...credentialCases,
  ...fileCases,
  ...instanceCases,
  ...oauthCases,
  ...operatorCases,
  ...personalCases,
  ...projectCases,
  ...versionCases,
  ...workspaceCases,
};

/** A case as a loop over all operations sees it. */
export interface AnyCase extends Omit<OperationCase<OperationName>, "input" | "refused" | "events"> {
  readonly input: (setting: Setting, state?: State) => object | Promise<object>;
  readonly refused: { readonly [Code in ErrorCode]?: Refusal };
  readonly events: Events | null;
}

export const caseOf = (name: OperationName): AnyCase => cases[name];

/** The kinds of the events that a call records, oldest first. */
export const kindsIn = (events: Events | null): readonly AuditKind[] =>
  events === null ? [] : typeof events === "string" ? [events] : "none" in events ? [] : events;

/** An input that succeeds. */
export async function validInput(name: OperationName, fixtures: Fixtures): Promise<Fields> {
  const found = caseOf(name);
  const setting = await settingOf(fixtures, found);
  await found.before?.(fixtures, setting);
  return { ...(await found.input(setting)) };
}

export const validHeaders = (name: OperationName, fixtures: Fixtures): Readonly<Record<string, string>> =>
  caseOf(name).headers?.(fixtures) ?? {};

/** The tool's arguments for an input of its operation, without the fields that it does not have. */
export function argumentsFor(tool: Tool, input: Fields): Fields {
  const named = Object.entries(input).map(([field, value]) => [nameInTool(tool, field), value] as const);
  return Object.fromEntries(named.filter(([field]) => field in tool.input.properties));
}

/** Arguments with which a tool succeeds; a list has the tool's own length. */
export async function validArguments(tool: Tool, fixtures: Fixtures): Promise<Fields> {
  const { limit: _, ...input } = await validInput(tool.operation.name, fixtures);
  return argumentsFor(tool, input);
}

/** The caller for whom it succeeds. */
export function validCaller(name: OperationName, fixtures: Fixtures): Promise<Caller> | Caller {
  const { caller, credential }: Operation = registry[name];
  const { by } = caseOf(name);
  if (by !== undefined) return by(fixtures);
  if (caller === "operator") return fixtures.operator;
  return credential === undefined ? fixtures.owner : fixtures.ownerBrowser;
}
