// The items that an operation lists, by its output: the member that its items stand under, and the members of an item.
import type { Operation } from "./operation.ts";

interface ListItems {
  readonly collection: string;
  readonly fields: readonly string[];
}

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/** Null where the answer is no page of a list. */
export function listItems({ output }: Pick<Operation, "output">): ListItems | null {
  const { properties = {} } = output as Schema;
  if (!("nextCursor" in properties)) return null;
  const [collection, list] = Object.entries(properties).find(([name]) => name !== "nextCursor") ?? [];
  const fields = Object.keys(list?.items?.properties ?? {});
  return collection === undefined || fields.length === 0 ? null : { collection, fields };
}
