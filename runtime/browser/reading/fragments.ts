// Ids that an author wrote carry a prefix in the document, so that they can't pass for ours; links to them don't.

const PREFIX = "user-content-";

export function findAuthorsFragments(): void {
  addEventListener("hashchange", find);
  find();
}

function find(): void {
  const id = decoded(location.hash);
  if (id === "" || document.getElementById(id)) return;
  document.getElementById(PREFIX + id)?.scrollIntoView();
}

/** The id that a fragment names, which begins with `#` unless it is empty. */
export function decoded(hash: string): string {
  const fragment = hash.slice(1);
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment; // a lone percent sign: it stands for itself
  }
}
