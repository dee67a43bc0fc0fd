// What `push` prints, as a JSON Schema: one file, several, and a dry run of either. Knows nothing of how it is done.
import { errorsOf } from "@plinth/contract/operation-errors";
import { registry } from "@plinth/contract/registry";

import type { FailureCode } from "../failure/failure.ts";
import { exactly, previewOutput, requestShape, text, yes } from "../schema/outputs.ts";

const pushed = {
  action: { enum: ["created", "updated", "unchanged"] },
  url: text,
  artifact: registry["artifact.create"].output,
  version: { type: "integer", minimum: 1 },
  visibility: { enum: ["public", "private"] },
  changed: {
    type: "array",
    items: { enum: ["content", "title", "description"] },
    description: "What an update changed",
  },
  dryRun: { ...yes, description: "With --check: nothing was written" },
};

export const pushOutput = {
  anyOf: [
    { ...exactly(pushed, ["dryRun", "changed"]), description: "One file" },
    {
      ...exactly({ results: { type: "array", items: exactly({ file: text, ...pushed }, ["dryRun", "changed"]) } }),
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
  "version.list",
  "version.content",
  "version.create",
  "artifact.patch",
] as const;

/** Beside those of creating an artifact: what `--ensure` and `--create-project` meet, and several files. */
export const pushErrors: readonly FailureCode[] = [
  "partial_failure",
  ...new Set(calls.flatMap((name) => errorsOf(registry[name]))),
];
