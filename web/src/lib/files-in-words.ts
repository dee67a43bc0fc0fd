// The files beside a version in the words of its page.
import type { FilesSummary } from "@plinth/contract/schemas/file";
import { artifactTexts } from "#messages/artifact.ts";
import { fileSize } from "./file-size.ts";

/** As in "3 files, 1.4 MB"; null where there are none. */
export const filesInWords = (files: FilesSummary | null): string | null =>
  files === null || files.count === 0
    ? null
    : artifactTexts().filesAndSize({ count: files.count, size: fileSize(files.sizeBytes) });
