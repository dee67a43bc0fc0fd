// Writes a file of JSON whole, for its owner alone. Knows no file in particular.
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

export const hasFileModes = process.platform !== "win32";

/** A crash at any moment leaves the old file or the new one, whole, and the next change removes what lay beside it. */
export async function replaceFile(path: string, value: object): Promise<void> {
  const beside = `${path}.new`;
  await rm(beside, { force: true });
  const file = await open(beside, "wx", 0o600);
  try {
    await file.writeFile(`${JSON.stringify(value, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(beside, path);
  if (!hasFileModes) return;
  const directory = await open(dirname(path), "r");
  await directory.sync().finally(() => directory.close());
}
