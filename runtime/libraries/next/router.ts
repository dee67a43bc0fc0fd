// next/router for one document: what pages of Next.js before its app directory use.
import { usePathname, useRouter as useNavigation, useSearchParams } from "./navigation.ts";
import { useLocation } from "./location.ts";

export function useRouter() {
  const pathname = usePathname();
  const query = Object.fromEntries(useSearchParams());
  return {
    ...useNavigation(),
    ...{ asPath: useLocation(), basePath: "", isFallback: false, isReady: true, pathname, query, route: pathname },
    events: { on: () => {}, off: () => {}, emit: () => {} },
  };
}
