// What a restore makes in a data directory, to be taken away where it does not come to its end. The directory stays, with
// the lock's empty file: whoever waits for that lock must not have it taken away.
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";

const makes = ["postgres", "postgres.new", "postgres-password", "postgres.log", "secret", "operator-token"];

export class Undo {
  readonly #made: readonly string[];
  #isKept = false;

  /** To be called before anything is made, by whoever has the place's lock. */
  constructor(readonly dataDir: string) {
    this.#made = makes.filter((name) => !existsSync(join(dataDir, name)));
  }

  keep(): void {
    this.#isKept = true;
  }

  /** Takes away what was not there before, unless it is to be kept. */
  undo(): void {
    if (this.#isKept) return;
    for (const name of this.#made) rmSync(join(this.dataDir, name), { recursive: true, force: true });
  }
}
