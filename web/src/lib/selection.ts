// The selected items of a list, and the range that Shift with a click adds.
import { SvelteSet } from "svelte/reactivity";

export class Selection {
  readonly ids = new SvelteSet<string>();
  /** Where a range begins. */
  #anchor: string | null = null;

  /** Chooses or leaves one; with `from`, which is the order of the list, all between it and the last one touched. */
  set(id: string, chosen: boolean, from?: readonly string[]): void {
    for (const one of this.#range(id, from)) {
      if (chosen) this.ids.add(one);
      else this.ids.delete(one);
    }
    this.#anchor = id;
  }

  /** Entries that are no longer among these are no longer chosen. */
  keep(present: ReadonlySet<string>): void {
    for (const id of [...this.ids]) if (!present.has(id)) this.ids.delete(id);
  }

  clear(): void {
    this.ids.clear();
    this.#anchor = null;
  }

  #range(id: string, order: readonly string[] = []): readonly string[] {
    const ends = [order.indexOf(this.#anchor ?? ""), order.indexOf(id)].toSorted((a, b) => a - b);
    const [first = -1, last = -1] = ends;
    return first === -1 ? [id] : order.slice(first, last + 1);
  }
}
