// Listed files as the place where a document's files are found (the command line has folders in its place).
import { filesLimits } from "@plinth/contract/limits";
import { createCollector, type DocumentFiles, type FileSource } from "@plinth/contract/publishing/references/collect";
import { isWithin } from "@plinth/contract/publishing/references/paths";
import type { ArtifactType } from "@plinth/contract/schemas/artifact";
import { documentFilesTexts } from "#messages/document-files.ts";
import { isSkipped, type FileList } from "./listed-files.ts";

// SHA-256 in the browser, which hashes only on pages of https or of this computer.

/** In hexadecimal. @throws TypeError where `isSecureContext` is false */
export async function sha256Of(data: BufferSource): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", data));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export interface ListedDocument {
  readonly path: string;
  readonly type: ArtifactType;
  readonly text: string;
}

/**
 * The files that go with each of these documents, in their order. Links to `published` paths are links between documents;
 * `all` are files that go along whether a text refers to them or not.
 * @throws TypeError outside of a secure context
 */
export async function filesWith(
  list: FileList,
  documents: readonly ListedDocument[],
  published: ReadonlySet<string> = new Set(documents.map(({ path }) => path)),
  all: readonly string[] = [],
): Promise<DocumentFiles[]> {
  const collector = createCollector({ source: sourceOf(list), folder: "", documents: published });
  const found: DocumentFiles[] = [];
  for (const { path, type, text } of documents) found.push(await collector.collect({ path, type, content: text }, all));
  return found;
}

/** By file, so that a file that is looked at again is not hashed again. */
const hashes = new WeakMap<File, Promise<string>>();

function sourceOf({ files, loose }: FileList): FileSource {
  const folders = new Set([...files.keys()].flatMap(foldersAbove));
  return {
    async at(path) {
      const plain = path.replace(/\/+$/, "").normalize("NFC");
      if (!isWithin(plain, "")) return { kind: "left-out", reason: documentFilesTexts().outside };
      const names = plain.split("/");
      if (names.includes("node_modules")) return { kind: "left-out", reason: documentFilesTexts().inPackages };
      if (names.some(isSkipped)) return { kind: "left-out", reason: documentFilesTexts().hidden };
      const file = files.get(plain);
      if (file !== undefined) return { kind: "file", path: plain, sizeBytes: file.size };
      if (folders.has(plain)) return { kind: "folder" };
      const name = names.at(-1) ?? "";
      const byName = loose.has(name) ? files.get(name) : undefined;
      return byName === undefined ? { kind: "missing" } : { kind: "file", path: name, sizeBytes: byName.size };
    },
    list: (folder) =>
      Promise.resolve([...files.keys()].filter((path) => folder === "" || path.startsWith(`${folder}/`))),
    async read(path) {
      const file = files.get(path);
      if (file === undefined || file.size > filesLimits.fileBytes) return null;
      try {
        const bytes = new Uint8Array(await file.arrayBuffer());
        const known = hashes.get(file) ?? sha256Of(bytes);
        hashes.set(file, known);
        return { bytes, sha256: await known };
      } catch (cause) {
        // Removed or changed since it was chosen.
        if (cause instanceof DOMException) return null;
        throw cause;
      }
    },
  };
}

/** The root is the empty path. */
function foldersAbove(path: string): string[] {
  const parts = path.split("/");
  return parts.map((_part, count) => parts.slice(0, count).join("/"));
}
