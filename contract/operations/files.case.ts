import { filesLimits } from "../limits.ts";
import type { CasesOf, Refusal, Setting } from "../test/case.ts";
import { byViewer } from "../test/refusals.ts";
import { anyoneReads, creates, onArtifact, onFirstVersion, onWorkspace, updates } from "../test/rules.ts";
import { emptyFile, fileBeside } from "../test/fixtures.ts";
import type * as operations from "./files.ts";

const it = ({ artifact: { artifactId } }: Setting) => ({ artifactId });
const first = (setting: Setting) => ({ ...it(setting), versionNumber: 1 });
const there = ({ workspaceId }: Setting) => ({ workspaceId });
const tooLarge: Refusal = (_fixtures, right) => ({ by: right, file: new Uint8Array(filesLimits.fileBytes + 1) });
const ofNoDocument = { none: "a file is in no document yet, and its publish is audited" };

export const fileCases: CasesOf<typeof operations> = {
  "file.missing": {
    who: onWorkspace("create projects", creates),
    input: (setting) => ({ ...there(setting), sha256: [emptyFile] }),
    refused: { forbidden: byViewer },
    events: null,
  },
  "file.upload": {
    who: onWorkspace("create projects", creates),
    input: (setting) => ({ ...there(setting), sha256: emptyFile }),
    refused: { forbidden: byViewer, content_too_large: tooLarge },
    events: ofNoDocument,
  },
  "file.missingOfArtifact": {
    who: onArtifact("update", updates),
    input: (setting) => ({ ...it(setting), sha256: [emptyFile] }),
    refused: { forbidden: byViewer },
    events: null,
  },
  "file.uploadToArtifact": {
    who: onArtifact("update", updates),
    input: (setting) => ({ ...it(setting), sha256: emptyFile }),
    refused: { forbidden: byViewer, content_too_large: tooLarge },
    events: ofNoDocument,
  },
  "upload.create": {
    who: onWorkspace("create projects", creates),
    input: ({ owner, size }) => ({ ownerUsername: owner, sizeBytes: size() }),
    invalid: { sizeBytes: -1 },
    refused: { forbidden: byViewer },
    events: ofNoDocument,
  },
  "upload.createForArtifact": {
    who: onArtifact("update", updates),
    input: (setting) => ({ ...it(setting), sizeBytes: setting.size() }),
    refused: { forbidden: byViewer },
    events: ofNoDocument,
  },
  "version.files": { who: onFirstVersion("read", anyoneReads), input: first, refused: {}, events: null },
  "version.file": {
    who: onFirstVersion("read", anyoneReads),
    input: (setting) => ({ ...it(setting), path: fileBeside, version: 1 }),
    refused: {},
    events: null,
  },
  "version.archive": {
    who: onFirstVersion("read", anyoneReads),
    input: (setting) => ({ ...it(setting), version: 1 }),
    refused: {},
    events: null,
  },
};
