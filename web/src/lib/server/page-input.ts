// Which part of a list a page shows, from its address.

const pageSize = 50;

/** The input of a list; a cursor that is none is the API's to refuse. */
export function pageInput({ searchParams }: URL): { limit: number; cursor?: string } {
  const cursor = searchParams.get("cursor");
  return cursor === null ? { limit: pageSize } : { limit: pageSize, cursor };
}
