// Rows that stay in memory, with fewer objects: equal values that many rows have are the same object in all of them, because a
// small object that stays keeps a page of garbage collected memory in use.
import { createCache } from "@plinth/platform/caches";

/** Properties whose texts the rows of a project or an owner have in common. */
const commonTexts: ReadonlySet<string> = new Set([
  "projectId",
  "workspaceId",
  "creatorId",
  "ownerUsername",
  "projectSlug",
  "plan",
  "planKept",
  "type",
]);
/** The same for objects. */
const commonObjects: ReadonlySet<string> = new Set(["createdBy", "latestBy"]);

const none: readonly unknown[] = [];

const isPlain = (value: object): boolean => Object.getPrototypeOf(value) === Object.prototype;

/** Copies a row of plain objects, texts, numbers and times. Its readers do not change it. */
export function createCompactRow(): <Row extends object>(row: Row) => Row {
  const texts = createCache<string>("commonTexts");
  const objects = createCache<object>("commonObjects");

  function sharedText(value: string): string {
    const known = texts.get(value);
    if (known === undefined) texts.set(value, value);
    return known ?? value;
  }

  function sharedObject(value: object): object {
    const name = JSON.stringify(value);
    const known = objects.get(name);
    if (known === undefined) objects.set(name, value);
    return known ?? value;
  }

  return <Row extends object>(row: Row): Row => {
    const copies = new Map<object, object>();
    const times = new Map<number, Date>();
    function compact(given: object): object {
      const known = copies.get(given);
      if (known !== undefined) return known;
      const copy: Record<string, unknown> = { ...given };
      copies.set(given, copy);
      for (const name in copy) {
        const value = copy[name];
        if (typeof value === "string") {
          if (commonTexts.has(name)) copy[name] = sharedText(value);
        } else if (typeof value !== "object" || value === null) continue;
        else if (value instanceof Date) copy[name] = times.getOrInsert(value.getTime(), value);
        else if (Array.isArray(value)) copy[name] = value.length === 0 ? none : value;
        else if (commonObjects.has(name)) copy[name] = sharedObject(value);
        else if (isPlain(value)) copy[name] = compact(value);
      }
      return copy;
    }
    return compact(row) as Row;
  };
}
