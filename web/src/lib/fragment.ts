// Secrets that travel in an address's fragment: taken out of the address bar, and so of the history, at once.

/** The fragment without its `#`, which is removed from the address; undefined where there is none. */
export function takeFragment(): string | undefined {
  const fragment = location.hash.slice(1);
  if (fragment === "") return undefined;
  history.replaceState(history.state, "", location.pathname + location.search);
  return fragment;
}
