// Where a document that is written for Next.js is: a path in memory, "/" at first, which the modules of `next/` share.
import { useSyncExternalStore } from "react";

const entries = ["/"];
let position = 0;
const listeners = new Set<() => void>();

const current = (): string => entries[position] ?? "/";

const changed = (): void => {
  for (const listener of listeners) listener();
};

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The path with its query and hash. */
export const useLocation = (): string => useSyncExternalStore(subscribe, current, current);

/** Relative to where the document is. */
export function visit(address: string, { replaces = false } = {}): void {
  const { pathname, search, hash } = new URL(address, `http://document${current()}`);
  if (!replaces) position++;
  entries.splice(position, Infinity, pathname + search + hash);
  changed();
}

/** Steps beyond either end do nothing. */
export function go(steps: number): void {
  if (entries[position + steps] === undefined) return;
  position += steps;
  changed();
}

/** Whether it leads to another place of the document, rather than out of it or to an element. */
export const isInside = (address: string): boolean => /^(?!#|\/\/|[a-z][a-z\d+.-]*:)/i.test(address);
