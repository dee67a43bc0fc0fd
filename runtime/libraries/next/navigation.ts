// next/navigation for one document: the path is kept in memory, and there are no routes and so no parameters.
import { useMemo } from "react";
import { go, isInside, useLocation, visit } from "./location.ts";

const router = {
  push: (address: string): void => lead(address),
  replace: (address: string): void => lead(address, { replaces: true }),
  back: (): void => go(-1),
  forward: (): void => go(1),
  refresh: (): void => {},
  prefetch: (): void => {},
};

/** Out of the document the page around it leads, as for every link. */
function lead(address: string, options?: { replaces: boolean }): void {
  if (isInside(address)) visit(address, options);
  else window.open(address);
}

const none: Readonly<Record<string, string>> = {};

export const useRouter = (): typeof router => router;
export const usePathname = (): string => useLocation().replace(/[?#].*$/s, "");
export const useParams = (): Readonly<Record<string, string>> => none;
export const useSelectedLayoutSegment = (): null => null;
export const useSelectedLayoutSegments = (): string[] => [];

export function useSearchParams(): URLSearchParams {
  const [, query = ""] = /\?([^#]*)/.exec(useLocation()) ?? [];
  return useMemo(() => new URLSearchParams(query), [query]);
}

export function redirect(address: string): void {
  queueMicrotask(() => lead(address, { replaces: true }));
}
export { redirect as permanentRedirect };

/** @throws always: a document has no page for it */
export function notFound(): never {
  throw new Error("notFound() was called: this document has no page of that kind.");
}
