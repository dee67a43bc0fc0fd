// How single commands differ from what their operation describes, such as in their text output.
import { undeleteDays } from "@plinth/contract/limits";
import type { OperationName } from "@plinth/contract/registry";

import type { Flag } from "../flags/flags.ts";
import { diffText } from "../output/diff-text.ts";
import { packagesText } from "../output/packages.ts";
import { accessText, explanationText } from "../output/sentences.ts";
import type { Style } from "../terminal/style.ts";
import type { Context } from "./context.ts";

export interface CommandOverride {
  /** A flag with which another operation of the same input is called. */
  readonly otherwise?: { readonly flag: string; readonly description: string; readonly name: OperationName };
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
  /** The message after "Done", with the identifier that was sent. */
  readonly followUp?: (artifactId: string) => string;
  /** Text of a list without items. */
  readonly empty?: string;
  /** Text of an answer that is no JSON; without it the bytes are printed as they came. */
  readonly bytesText?: (text: string, style: Style) => string;
}

const eventFlags = {
  kind: { description: "Only this kind, such as access.updated" },
  since: { description: "Only from then on: ISO 8601, UTC, with its Z", valueHint: "time" },
  until: { description: "Only before then: ISO 8601, UTC, with its Z", valueHint: "time" },
};

export const commandOverrides: Readonly<Record<string, CommandOverride>> = {
  health: { omit: ["live"] },
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
    flags: {
      owner: { description: "Only what this account publishes", valueHint: "name" },
      type: { description: "Only of this type" },
      project: { description: "Only in projects of this slug", valueHint: "slug" },
    },
    empty: "Nothing was found among what you may see. What was just published is found a moment later",
  },
  "artifact delete": {
    followUp: (artifactId) =>
      `You can undo it for ${undeleteDays} days: plinth artifact undelete --artifact-id ${artifactId}`,
  },
  "artifact undelete": { findsDeleted: true },
  // There is a command for them.
  "path artifact": { omit: ["withPackages"] },
  "artifact packages": {
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
    text: accessText,
    textOutput: "sentences",
    missingHint:
      "The access object is set whole; plinth artifact access get shows it as it is, and --json takes it back",
  },
  "access explain": { text: explanationText, textOutput: "sentences" },
  "project move": {
    flags: {
      ownerUsername: { description: "Workspace it moves to: its slug, or a person's username", valueHint: "name" },
      slug: { description: "Its slug there, if another than now", valueHint: "slug" },
    },
  },
  "share create": {
    flags: {
      label: { description: "What it is called in lists, such as whom it is for" },
      expiresAt: { description: "When it ends: ISO 8601, UTC, with its Z; none for never", valueHint: "time" },
    },
  },
  "share revoke": {
    flags: { shareLinkId: { description: "Identifier of the share link; plinth share list shows it" } },
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
    accept: ({ settings }) => (settings.format === "text" && settings.field === null ? "text/x-diff" : null),
    bytesText: diffText,
    textOutput: "a unified diff",
  },
};
