// Rules of an input beyond its schema, checked before any lookup (docs/reference/contract.md §2, "Order of checks").
import type { AppError, FieldError } from "@plinth/contract/errors";
import type { Input, OperationName } from "@plinth/contract/registry";

import type { Config } from "./config.ts";
import { aheadProblem, expiryProblem } from "./credentials/expiry.ts";
import { trustProblems } from "./credentials/trust.ts";
import { textProblems } from "./files/given-text.ts";
import { notATimestamp, parseTimestamp } from "./timestamp.ts";
import { invalid } from "./input.ts";
import { contentTooLarge, isTooLarge } from "./storage/size.ts";
import { nameProblems } from "./workspaces/names.ts";

type Rule<Name extends OperationName> = (input: Input<Name>, config: Config) => FieldError[];

type Switches = Pick<Input<"access.update">, "publicEdit" | "publicView">;

/** A part that is left out is that of each artifact, which is looked at later. */
const partOfAccess = (input: Input<"project.updateAccess">): FieldError[] => {
  const { publicView, publicEdit, viewerEmails, artifactIds = [] } = input;
  if (publicView === undefined && publicEdit === undefined && viewerEmails === undefined)
    return [{ path: "publicView", message: "is required, or publicEdit or viewerEmails" }];
  const twice = artifactIds.findIndex((id, index) => artifactIds.indexOf(id) < index);
  return [
    ...publicEditNeedsPublicView({ publicEdit: publicEdit === true, publicView: publicView !== false }),
    ...(twice < 0 ? [] : [{ path: `artifactIds.${twice}`, message: "is given more than once" }]),
  ];
};

const publicEditNeedsPublicView = ({ publicEdit, publicView }: Switches, at = ""): FieldError[] =>
  publicEdit && !publicView ? [{ path: `${at}publicEdit`, message: "needs publicView" }] : [];

type NewArtifact = Pick<Input<"artifact.create">, "access" | "archiveSha256" | "content" | "contentSha256" | "files">;

const newArtifact = ({ access, ...given }: NewArtifact): FieldError[] => [
  ...publicEditNeedsPublicView(access, "access."),
  ...textProblems(given),
];

const realTimes = (input: Pick<Input<"audit.list">, "since" | "until">): FieldError[] =>
  (["since", "until"] as const)
    .filter((name) => input[name] !== undefined && parseTimestamp(input[name], name) === null)
    .map((name) => ({ path: name, message: notATimestamp }));

const expiry =
  (problemOf: typeof expiryProblem) =>
  ({ expiresAt }: Pick<Input<"apiKey.create">, "expiresAt">): FieldError[] => {
    const message = problemOf(expiresAt, new Date());
    return message === null ? [] : [{ path: "expiresAt", message }];
  };

const endOfShareLink = (input: Input<"shareLink.create">): FieldError[] =>
  typeof input.expiresAt === "string" && input.expiresInDays !== undefined
    ? [{ path: "expiresInDays", message: "cannot be sent together with expiresAt" }]
    : expiry(aheadProblem)(input);

/** Beside the identifiers of what is changed. */
const somethingToChange =
  (identifiers: 0 | 1) =>
  (input: object): FieldError[] =>
    Object.keys(input).length > identifiers ? [] : [{ path: "", message: "names nothing to change" }];

/** Titles are kept in order for each workspace and each project (domain/artifacts/ordered.ts). */
const orderOfSearch = (input: Input<"artifact.list">): FieldError[] => {
  const { sort, q, owner } = input;
  const problem =
    sort === "best" && q === undefined
      ? "best needs q"
      : sort === "title" && q === undefined && owner === undefined
        ? "title needs q or owner"
        : null;
  return [...realTimes(input), ...(problem === null ? [] : [{ path: "sort", message: problem }])];
};

const partOfContent = ({ grep, outline, startLine, endLine }: Input<"version.content">): FieldError[] => [
  ...(outline === true && grep !== undefined
    ? [{ path: "grep", message: "cannot be sent together with outline" }]
    : []),
  ...(startLine !== undefined && endLine !== undefined && endLine < startLine
    ? [{ path: "endLine", message: "is before startLine" }]
    : []),
];

const rules: { readonly [Name in OperationName]?: Rule<Name> } = {
  "artifact.create": newArtifact,
  "artifact.createInWorkspace": newArtifact,
  "artifact.list": orderOfSearch,
  "artifact.listMine": realTimes,
  "artifact.put": ({ access, ...given }) => [
    ...(access === undefined ? [] : publicEditNeedsPublicView(access, "access.")),
    ...textProblems(given),
  ],
  "artifact.patch": somethingToChange(1),
  "access.update": (input) => publicEditNeedsPublicView(input),
  "version.content": partOfContent,
  "version.create": textProblems,
  "audit.list": realTimes,
  "audit.listInWorkspace": realTimes,
  "project.update": somethingToChange(1),
  "project.updateAccess": partOfAccess,
  "profile.update": (input) => [...somethingToChange(0)(input), ...nameProblems("username", input.username)],
  "workspace.artifacts": realTimes,
  "workspace.create": ({ slug }) => nameProblems("slug", slug),
  "operator.createUser": ({ username }) => nameProblems("username", username),
  "shareLink.create": endOfShareLink,
  "apiKey.create": expiry(expiryProblem),
  "agent.create": (input, { trustedIssuers }) => [
    ...expiry(expiryProblem)(input),
    ...trustProblems(input, trustedIssuers),
  ],
  "operator.createApiKey": expiry(expiryProblem),
};

/** Null, `invalid_request` or `content_too_large`. Expects an input that fits the schema. */
export function ruleRefusal(config: Config, name: OperationName, input: Record<string, unknown>): AppError | null {
  const rule = rules[name] as ((input: Record<string, unknown>, config: Config) => FieldError[]) | undefined;
  const errors = rule?.(input, config) ?? [];
  if (errors.length > 0) return invalid(errors);
  const { maxContentBytes } = config;
  const { content } = input;
  return typeof content === "string" && isTooLarge(content, maxContentBytes) ? contentTooLarge(maxContentBytes) : null;
}
