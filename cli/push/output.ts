// The JSON Schema of the output of `push`: one file, several, and a dry run of either. Knows nothing of the
// implementation.
import { errorsOf } from "@plinth/contract/operation-errors";
import { registry } from "@plinth/contract/registry";

import type { FailureCode } from "../failure/failure.ts";
import { exactly, previewOutput, requestShape, text, yes } from "../output/schemas.ts";

const count = { type: "integer", minimum: 0 };
const reference = {
  url: text,
  line: { type: "integer", minimum: 1 },
  file: {
    anyOf: [text, { type: "null" }],
    description: "The style sheet, script or page that has it, if not the document",
  },
};
const inProject = { artifactId: text, sourcePath: { anyOf: [text, { type: "null" }] }, url: text };
const links = {
  ...exactly({
    count,
    broken: {
      type: "array",
      items: exactly({ file: text, line: { type: "integer", minimum: 1 }, url: text, reason: text }, ["reason"]),
    },
  }),
  description: "With -r: the links between documents and to files",
};
const optional = [
  "dryRun",
  "changed",
  "changes",
  "previousVersion",
  "diffUrl",
  "files",
  "suggestedTitle",
  "notFound",
  "leftOut",
  "notTaken",
];

const pushed = {
  action: { enum: ["created", "updated", "unchanged"] },
  url: text,
  artifact: registry["artifact.create"].output,
  version: { type: "integer", minimum: 1 },
  visibility: { enum: ["public", "private"] },
  changed: {
    type: "array",
    items: { enum: ["content", "files", "title", "description", "sourcePath"] },
    description: "What an update changed",
  },
  changes: {
    ...exactly({ additions: count, deletions: count }),
    description: "Lines of the text, against the version before; of the first 20 updates of a push",
  },
  previousVersion: { type: "integer", minimum: 1, description: "The version before the update" },
  diffUrl: { ...text, description: "The page that compares the update with the version before" },
  files: {
    ...exactly({ count, sizeBytes: count, uploaded: count }),
    description: "The files that go with it, and how many of them were uploaded",
  },
  suggestedTitle: {
    ...text,
    description: "The <title> of an html document whose artifact is called by its file's name",
  },
  notFound: { type: "array", items: exactly(reference), description: "Files that it refers to and that are not there" },
  leftOut: {
    type: "array",
    items: exactly({ ...reference, reason: text }),
    description: "Files that it refers to and that are not published",
  },
  notTaken: {
    ...exactly({ count, files: { type: "array", items: exactly({ path: text, reason: text }) } }),
    description: "What its folder has that was not taken: of a folder as one document, or beside an index page",
  },
  dryRun: { ...yes, description: "With --check: nothing was written" },
};

export const pushOutput = {
  anyOf: [
    { ...exactly(pushed, optional), description: "One file" },
    {
      ...exactly(
        {
          results: { type: "array", items: exactly({ file: text, ...pushed }, optional) },
          links,
          gone: {
            type: "array",
            items: exactly(inProject),
            description: "With -r: artifacts whose file the folder does not have any more",
          },
          pruned: { type: "array", items: exactly(inProject), description: "Those that --prune moved to the trash" },
        },
        ["links", "gone", "pruned"],
      ),
      description: "Several files: those that were published",
    },
    previewOutput,
    { ...exactly({ dryRun: yes, requests: { type: "array", items: requestShape } }), description: "Several files" },
  ],
};

const calls = [
  "project.create",
  "profile.get",
  "artifact.get",
  "artifact.getByPath",
  "artifact.getBySourcePath",
  "version.list",
  "version.content",
  "version.create",
  "version.diff",
  "artifact.patch",
  "artifact.list",
  "artifact.delete",
  "file.missing",
  "file.upload",
] as const;

/** Beside those of creating an artifact: what `--ensure` and `--create-project` meet, and several files. */
export const pushErrors: readonly FailureCode[] = [
  "partial_failure",
  ...errorsOf(...calls.map((name) => registry[name])),
];
