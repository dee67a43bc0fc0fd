// The address of a page's form action that keeps the rest of the page's query.

/** As a form's `action` or a button's `formaction`. */
export function formAction(name: string, { searchParams }: { searchParams: Iterable<[string, string]> }): string {
  // Kit takes a key with a slash for the action's name.
  const kept = [...searchParams].filter(([key]) => !key.startsWith("/"));
  const query = new URLSearchParams(kept).toString();
  return query === "" ? `?/${name}` : `?/${name}&${query}`;
}
