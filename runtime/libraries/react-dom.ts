// react-dom with what it had before React 18 and documents still write: `render` and `unmountComponentAtNode`.
// Its default has `createRoot` as well, for those who take it from the wrong one of the two modules.
import * as dom from "react-dom";
import { hydrateRoot } from "react-dom/client";
import { createRoot, render, unmountComponentAtNode } from "../browser/roots.ts";

export {
  createPortal,
  flushSync,
  preconnect,
  prefetchDNS,
  preinit,
  preinitModule,
  preload,
  preloadModule,
  requestFormReset,
  unstable_batchedUpdates,
  useFormState,
  useFormStatus,
  version,
} from "react-dom";
export { render, unmountComponentAtNode };
export default { ...dom, createRoot, hydrateRoot, render, unmountComponentAtNode };
