// Differences of single commands from the descriptions of their operations, such as their text output.
import { wholeAccess } from "../artifacts/whole-access.ts";
import { latestTwoVersions, latestVersion, versionBeforeLatest } from "../artifacts/default-versions.ts";
import { undeleteDays } from "@plinth/contract/limits";
import type { Operation } from "@plinth/contract/operation";
import type { OperationName } from "@plinth/contract/registry";
import { Artifact, UndeletedArtifact } from "@plinth/contract/schemas/artifact";
import { ArtifactAtAddress } from "@plinth/contract/schemas/at-address";
import { weekdayOf } from "@plinth/contract/weekday";

import type { Flag } from "../flags/flags.ts";
import { inDays } from "../output/formatting.ts";
import { artifactText, healthText, profileText } from "../output/cards.ts";
import { diffText } from "../output/diff-text.ts";
import { missingNote } from "../output/missing.ts";
import { packagesText } from "../output/packages.ts";
import { accessText, explanationText } from "../output/sentences.ts";
import type { Style } from "../terminal/style.ts";
import type { Context } from "../command/context.ts";
import type { Subject } from "../command/command.ts";

export interface CommandOverride {
  /** A flag with which another operation of the same input is called. */
  readonly otherwise?: { readonly flag: string; readonly description: string; readonly name: OperationName };
  /** What the command's first word names, where that is not what its path names. */
  readonly subject?: Subject;
  /** Its name at the top: `get` for `artifact get`. */
  readonly short?: string;
  /** The list of a project, where the command's first word names one. */
  readonly inProject?: OperationName;
  /** Fields that the operation needs and the command finds by itself. */
  readonly optional?: readonly string[];
  /** Adds those to the input. The artifact is its identifier by then. */
  readonly complete?: (
    input: Readonly<Record<string, unknown>>,
    context: Context,
  ) => Promise<Readonly<Record<string, unknown>>>;
  /** Fields of the input that get no flag. */
  readonly omit?: readonly string[];
  /** Fields this command needs although its operation does not. */
  readonly alsoRequired?: readonly string[];
  /** What single flags say and read otherwise than their schema, by field. */
  readonly flags?: Readonly<Record<string, Pick<Flag, "description" | "valueHint" | "read">>>;
  /** The media type to ask for where the answer has several. */
  readonly accept?: (context: Context) => string | null;
  /** The field that words without a flag become, joined by spaces. */
  readonly words?: { readonly field: string; readonly name: string; readonly description: string };
  /** What to do where a field is missing. */
  readonly missingHint?: string;
  /** It is about the share token of the line, and so needs one. */
  readonly needsShareToken?: true;
  /** Text of the answer; without it the answer is described, or its list a table. */
  readonly text?: (value: unknown, style: Style) => string;
  /** What that text is, for programs. */
  readonly textOutput?: string;
  /** The address names what was deleted there. */
  readonly findsDeleted?: true;
  /** What it does to what it names, where that needs --yes: "This deletes". */
  readonly doing?: string;
  /** How it can be undone. */
  readonly undo?: string;
  /** What it did to what it names: "Deleted". */
  readonly done?: string;
  /** The message after that, with the name that was given. */
  readonly followUp?: (name: string) => string;
  /** What a person should know of the answer, said on standard error. */
  readonly note?: (value: unknown, given: Readonly<Record<string, unknown>>) => string | null;
  /** Text of a list without items. */
  readonly empty?: string;
  /** Text of an answer that is no JSON; without it the bytes are printed as they came. */
  readonly bytesText?: (text: string, style: Style) => string;
}

const eventFlags = { kind: { description: "Only this kind, such as access.updated" } };

/** The end of a new key is easy to miss until it is there. */
function endOfKey(value: unknown, given: Readonly<Record<string, unknown>>): string | null {
  const { expiresAt, dryRun } = value as { readonly expiresAt?: string | null; readonly dryRun?: boolean };
  if (expiresAt === undefined || dryRun) return null;
  return expiresAt === null
    ? "It never ends by itself; revoke it once it is no longer needed"
    : `It ends ${inDays(expiresAt)} (${weekdayOf(expiresAt)}, ${expiresAt})${given["expiresAt"] === undefined ? ". Another end: --expires, none for never" : ""}`;
}

/** What operations answer with that is an artifact: their commands print it alike. */
const artifacts: ReadonlySet<unknown> = new Set([Artifact, UndeletedArtifact, ArtifactAtAddress]);

/** The differences of the command of a path. */
export const overrideOf = (path: string, { output }: Pick<Operation, "output">): CommandOverride => ({
  ...(artifacts.has(output) && { text: artifactText, textOutput: "sentences" }),
  ...commandOverrides[path],
});

const commandOverrides: Readonly<Record<string, CommandOverride>> = {
  health: { omit: ["live"], text: healthText, textOutput: "sentences" },
  whoami: { text: profileText, textOutput: "sentences" },
  "profile get": { text: profileText, textOutput: "sentences" },
  // For callers without files: this one sends the text.
  "artifact create": { omit: ["contentSha256", "archiveSha256"], note: missingNote },
  "artifact update": { omit: ["contentSha256", "archiveSha256"], note: missingNote },
  "profile set-username": { alsoRequired: ["username"] },
  "invitation accept": {
    flags: {
      token: {
        description: "The address of the invitation, or the token in it",
        valueHint: "address",
        // The token is the fragment, which no server and no log sees.
        read: (text) => text.slice(text.indexOf("#") + 1),
      },
    },
  },
  search: {
    words: { field: "q", name: "word", description: "What to search for, as --q" },
    omit: ["withFavorite"],
    flags: {
      owner: { description: "Only what this account publishes", valueHint: "name" },
      type: { description: "Only of this type" },
      project: { description: "Only in projects of this slug", valueHint: "slug" },
    },
    empty: "Nothing was found among what you may see. What was just published is found a moment later",
  },
  "artifact delete": {
    doing: "This deletes",
    undo: `it can be undone for ${undeleteDays} days`,
    done: "Deleted",
    followUp: (name) => `You can undo it for ${undeleteDays} days: plinth artifact undelete ${name}`,
  },
  "workspace leave": { doing: "This takes you out of", done: "You left" },
  "member remove": { doing: "This removes a member from", done: "Removed from" },
  "share revoke": {
    done: "Revoked",
    flags: { shareLinkId: { description: "Identifier of the share link; plinth share list shows it" } },
  },
  "keys create": { note: endOfKey },
  "keys rotate": { note: endOfKey },
  "agent create": { note: endOfKey },
  "operator user api-key": { note: endOfKey },
  "keys revoke": { done: "Revoked" },
  "agent revoke": { done: "Revoked" },
  "workspace revoke-invite": { done: "Revoked" },
  "artifact undelete": { findsDeleted: true },
  "artifact get": { short: "get" },
  "artifact list": { short: "ls", subject: { kind: "project", flag: "project" }, inProject: "artifact.list" },
  // In a shell, grep and sed are at hand.
  "artifact content": { short: "cat", omit: ["grep", "startLine", "endLine"] },
  "artifact versions": { short: "log", omit: ["author", "withAuthors"] },
  "artifact restore": {
    optional: ["versionNumber"],
    complete: versionBeforeLatest,
    flags: { versionNumber: { description: "Which version (the one before the latest)" } },
  },
  "artifact files": { optional: ["versionNumber"], complete: latestVersion },
  // There is a command for them.
  "path project": { omit: ["withDocuments"] },
  "path artifact": { omit: ["withPackages", "withFiles", "withNeighbours", "withFavorite"] },
  "artifact packages": {
    optional: ["versionNumber"],
    complete: latestVersion,
    omit: ["withFiles", "withAuthor"],
    text: packagesText,
    textOutput: "sentences",
    otherwise: {
      flag: "retry",
      description: "Ask again for what is missing; requires artifacts:update",
      name: "version.retryPackages",
    },
  },
  "artifact access get": { text: accessText, textOutput: "sentences" },
  "artifact access set": {
    optional: ["publicView", "publicEdit", "viewerEmails"],
    complete: wholeAccess,
    text: accessText,
    textOutput: "sentences",
  },
  "access explain": { text: explanationText, textOutput: "sentences" },
  "project delete": { doing: "This deletes", done: "Deleted" },
  "project move": {
    flags: {
      ownerUsername: { description: "Workspace it moves to: its slug, or a person's username", valueHint: "name" },
      slug: { description: "Its slug there, if another than now", valueHint: "slug" },
    },
  },
  "share create": {
    flags: {
      label: { description: "What it is called in lists, such as whom it is for" },
      expiresInDays: { description: "In place of --expires: how many days it lasts", valueHint: "days" },
    },
  },
  "operator jobs list": {
    flags: { state: { description: "Only those in this state; failed ones were given up and are kept for 30 days" } },
    empty: "No jobs: nothing waits, and nothing failed for good",
  },
  "operator jobs run": {
    flags: { kind: { description: "Which job" } },
    text: () => "Asked for. See how it goes: plinth operator jobs list. What it leaves behind is in the server's log",
    textOutput: "where to look",
  },
  "audit list": { flags: eventFlags },
  "workspace audit": { flags: eventFlags },
  "share resolve": { needsShareToken: true },
  "artifact diff": {
    optional: ["from", "to"],
    complete: latestTwoVersions,
    flags: {
      from: { description: "The older version (the one before --to)" },
      to: { description: "The newer version (the latest)" },
    },
    accept: ({ settings }) =>
      settings.format === "text" && settings.field === null && settings.jq === null ? "text/x-diff" : null,
    bytesText: diffText,
    textOutput: "a unified diff",
  },
};
