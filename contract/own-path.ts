// Redirect targets after signing in: paths of this origin and nothing else (docs/reference/security.md §3).

// Long enough for an authorization request with a long state, to which the sign-in must return.
const longest = 8192;
// Excludes everything that a browser would read as another host, drop or fold: `//host`, backslashes, control
// characters.
const shape = /^\/(?![/\\])[^\\\p{Cc}\p{Zl}\p{Zp}]*$/u;

/** Whether a text is a path of this origin, with or without query and fragment. */
export function isOwnPath(text: string): boolean {
  if (text.length > longest || !shape.test(text) || !text.isWellFormed()) return false;
  const url = URL.parse(text, nowhere);
  // Dots are resolved first: in `/.//host`, the next parser would take `host` for a host.
  return url !== null && url.origin === nowhere && !url.pathname.startsWith("//");
}

const nowhere = "http://own-path.invalid";
