import type { CasesOf, Setting } from "../test/case.ts";
import { brokenJsx, byViewer, changed, newArtifact, tooLong } from "../test/refusals.ts";
import { anyoneReads, onArtifact, onFirstVersion, updates } from "../test/rules.ts";
import type * as operations from "./versions.ts";

const it = ({ artifact: { artifactId } }: Setting) => ({ artifactId });
const first = (setting: Setting) => ({ ...it(setting), versionNumber: 1 });
const staleVersion = changed({ expectedLatestVersion: 999_999 });

export const versionCases: CasesOf<typeof operations> = {
  "version.create": {
    who: onArtifact("update", updates),
    input: (setting) => ({ ...it(setting), content: `# ${setting.unique("text")}\n`, changelog: "A change" }),
    invalid: { content: 7, expectedLatestVersion: "one" },
    refused: {
      forbidden: byViewer,
      invalid_source: changed(({ jsx }) => ({ artifactId: jsx.artifactId, content: brokenJsx })),
      version_conflict: staleVersion,
      content_too_large: changed((fixtures) => ({ content: tooLong(fixtures) })),
    },
    events: "artifact.updated",
  },
  "version.edit": {
    who: onArtifact("update", { scopes: ["artifacts:update", "artifacts:read"] }),
    uses: "artifact",
    input: (setting) => ({ ...it(setting), edits: [{ oldText: setting.artifact.word, newText: "Edited" }] }),
    invalid: { edits: [{ oldText: "nowhere in it", newText: "" }] },
    refused: {
      forbidden: byViewer,
      invalid_source: changed(({ jsx }) => ({
        artifactId: jsx.artifactId,
        edits: [{ oldText: "</p>", newText: "" }],
      })),
      version_conflict: staleVersion,
      content_too_large: changed(async (fixtures) => ({
        artifactId: (await newArtifact(fixtures, fixtures.owner, fixtures.project.slug)).artifactId,
        edits: [{ oldText: "First", newText: tooLong(fixtures) }],
      })),
    },
    events: "artifact.updated",
  },
  "version.list": { who: onArtifact("read", anyoneReads), input: it, invalid: { limit: 0 }, refused: {}, events: null },
  "version.content": {
    who: onFirstVersion("read", anyoneReads),
    input: (setting) => ({ ...it(setting), version: 1 }),
    invalid: { version: 0 },
    refused: {},
    events: null,
  },
  "version.diff": {
    who: onFirstVersion("read", anyoneReads),
    input: (setting) => ({ ...it(setting), from: 1, to: 2 }),
    invalid: { from: 0, to: "two" },
    refused: {},
    events: null,
  },
  "version.restore": {
    who: onFirstVersion("update", updates),
    uses: "artifact",
    input: first,
    invalid: { versionNumber: 0 },
    refused: { forbidden: byViewer },
    events: "artifact.restored",
  },
  "version.patch": {
    who: onFirstVersion("update", updates),
    input: (setting) => ({ ...first(setting), name: setting.unique("Name") }),
    refused: { forbidden: byViewer },
    events: "version.renamed",
  },
  "version.packages": { who: onFirstVersion("read", anyoneReads), input: first, refused: {}, events: null },
  "version.retryPackages": {
    who: onFirstVersion("update", updates),
    input: first,
    refused: { forbidden: byViewer },
    events: { none: "markdown loads no package; domain/audit/audit.test.ts has a page's" },
  },
};
