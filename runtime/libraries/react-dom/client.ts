// react-dom/client with a `createRoot` whose failures are shown in the frame.
import { version } from "react-dom";
import { hydrateRoot } from "react-dom/client";
import { createRoot } from "../../browser/roots.ts";

export { createRoot, hydrateRoot, version };
export default { createRoot, hydrateRoot, version };
