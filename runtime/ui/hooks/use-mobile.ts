// `@/hooks/use-mobile`
import { useSyncExternalStore } from "react";

const NARROW = "(max-width: 767px)";

/** True while the page is narrower than Tailwind's `md`. */
export function useIsMobile(): boolean {
  return useSyncExternalStore(watch, () => matchMedia(NARROW).matches);
}

export const useMobile = useIsMobile;

function watch(changed: () => void): () => void {
  const query = matchMedia(NARROW);
  query.addEventListener("change", changed);
  return () => query.removeEventListener("change", changed);
}
