// The part of a list that a page shows, from its URL.

const pageSize = 50;

/** The input of a list; a cursor that is none is the API's to refuse. */
export function pageInput({ searchParams }: URL): { limit: number; cursor?: string } {
  const cursor = searchParams.get("cursor");
  return cursor === null ? { limit: pageSize } : { limit: pageSize, cursor };
}
