// The paths of a document's files in the request that publishes it, and the hash by which a version knows them.
import { directoryAbove, directoryOf, manifestText } from "@plinth/contract/publishing/file-path";
import type { DocumentFiles } from "@plinth/contract/publishing/references/collect";

import { digestOf } from "../files/digest.ts";
import type { Push } from "./push.ts";

/** The push with the files that were found. */
export const withFound = (push: Push, found: DocumentFiles): Push =>
  found.files.length === 0 ? { ...push, found } : placed({ ...push, found }, found.files, found.documentPath);

function placed(push: Push, files: DocumentFiles["files"], documentPath: string): Push {
  const base = directoryOf(documentPath);
  const { documentPath: _before, ...body } = push.body;
  return {
    ...push,
    filesSha256: digestOf(manifestText(base, files)).sha256,
    body: {
      ...body,
      files: files.map(({ path, sha256 }) => ({ path, sha256 })),
      // Otherwise it is where the source path says.
      ...(base !== directoryOf(body.sourcePath ?? "") && { documentPath }),
    },
  };
}

/**
 * The push of one file whose artifact came with a folder: its files get the paths that they have in the folder, so that
 * both ways to push it publish the same.
 */
export function atSourcePath(push: Push, sourcePath: string): Push {
  const { found, body } = push;
  if (found === undefined || found.files.length === 0 || body.sourcePath !== undefined) return push;
  const above = directoryAbove(sourcePath, found.documentPath);
  if (above === "") return push;
  const files = found.files.map((file) => ({ ...file, path: `${above}${file.path}` }));
  return placed(push, files, `${above}${found.documentPath}`);
}
