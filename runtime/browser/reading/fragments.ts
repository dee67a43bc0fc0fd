// Ids that an author wrote carry a prefix in the document, so that they can't pass for ours; links to them don't.

const PREFIX = "user-content-";

export function findAuthorsFragments(): void {
  addEventListener("hashchange", find);
  find();
}

function find(): void {
  const id = decoded(location.hash.slice(1));
  if (id === "" || document.getElementById(id)) return;
  document.getElementById(PREFIX + id)?.scrollIntoView();
}

/** The id that a fragment names. */
export function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment; // a lone percent sign: it stands for itself
  }
}
