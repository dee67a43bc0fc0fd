// Deletes the files that an incomplete restore created in a data directory. The directory and its empty lock file stay,
// because another process may be waiting for that lock.
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";

const makes = ["postgres", "postgres.new", "postgres-password", "postgres.log", "secret", "operator-token"];

export class Undo {
  readonly #made: readonly string[];
  #isKept = false;

  /** Call it before the first file is created, with the directory's lock held. */
  constructor(readonly dataDir: string) {
    this.#made = makes.filter((name) => !existsSync(join(dataDir, name)));
  }

  keep(): void {
    this.#isKept = true;
  }

  /** Deletes the files that did not exist before, unless `keep` was called. */
  undo(): void {
    if (this.#isKept) return;
    for (const name of this.#made) rmSync(join(this.dataDir, name), { recursive: true, force: true });
  }
}
