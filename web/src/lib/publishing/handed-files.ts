// Files on their way from an artifact's page to the page that publishes its next version. IndexedDB, because the browser
// loads another document and files can be larger than other storage holds.
import type { Dropped } from "#lib/dropped-files.ts";
import { listFiles } from "./listed-files.ts";

const name = "plinth-handed-files";
const store = "files";
const key = "latest";
/** Files that were not taken by then stay where they are. */
const keptMs = 10 * 60_000;

interface Handed {
  /** Of the page that the files are for. */
  readonly path: string;
  readonly until: number;
  readonly files: readonly (readonly [path: string, file: File])[];
}

/** Keeps the files for the page at the path. */
export async function handFiles(path: string, dropped: readonly Dropped[]): Promise<void> {
  const { files } = await listFiles(dropped, true);
  const handed: Handed = { path, until: Date.now() + keptMs, files: [...files] };
  await inStore((all) => all.put(handed, key));
}

/** The files that were kept for the page at the path, once. */
export async function takeHandedFiles(path: string): Promise<Dropped[]> {
  const handed = (await inStore((all) => all.get(key))) as Handed | undefined;
  if (handed === undefined || handed.path !== path) return [];
  await inStore((all) => all.delete(key));
  return handed.until < Date.now() ? [] : handed.files.map(([at, file]) => placed(file, at));
}

/** Says where the file was in its folder, as a chosen folder's files do. */
const placed = (file: File, path: string): File =>
  path === file.name ? file : Object.defineProperty(file, "webkitRelativePath", { value: path });

async function inStore(ask: (all: IDBObjectStore) => IDBRequest): Promise<unknown> {
  const opening = indexedDB.open(name);
  opening.addEventListener("upgradeneeded", () => void opening.result.createObjectStore(store));
  const database = (await resultOf(opening)) as IDBDatabase;
  try {
    return await resultOf(ask(database.transaction(store, "readwrite").objectStore(store)));
  } finally {
    database.close();
  }
}

const resultOf = (request: IDBRequest): Promise<unknown> =>
  new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error ?? new Error("The browser's storage failed")));
  });
