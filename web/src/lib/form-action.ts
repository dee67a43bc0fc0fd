// A page's form actions: their addresses, which keep the rest of the page's query, and forms that keep their fields.
import type { SubmitFunction } from "$app/forms";

/** As a form's `action` or a button's `formaction`. */
export function formAction(name: string, { searchParams }: { searchParams: Iterable<[string, string]> }): string {
  // Kit takes a key with a slash for the action's name.
  const kept = [...searchParams].filter(([key]) => !key.startsWith("/"));
  const query = new URLSearchParams(kept).toString();
  return query === "" ? `?/${name}` : `?/${name}&${query}`;
}

/** For `use:enhance`: the form keeps what is in its fields once it is sent. */
export const keepFields: SubmitFunction =
  () =>
  ({ update }) =>
    update({ reset: false });
