// The names that a document may use without importing them: React's own, as pages that load React by a script tag have
// them, and the `render` and `root` of playgrounds.
import { MOUNT_MODULE } from "@plinth/runtime/jsx-modules";

import type { ModuleNames } from "./scope.ts";

const REACT_NAMES = new Set(
  (
    "Children Component Fragment PureComponent StrictMode Suspense cloneElement createContext createElement createRef " +
    "forwardRef isValidElement lazy memo startTransition useActionState useCallback useContext useDebugValue " +
    "useDeferredValue useEffect useEffectEvent useId useImperativeHandle useInsertionEffect useLayoutEffect useMemo " +
    "useOptimistic useReducer useRef useState useSyncExternalStore useTransition"
  ).split(" "),
);

/** One line of imports for each name used and declared nowhere at the top level; "" where there is none. */
export function providedImports({ declared, used, called }: ModuleNames): string {
  const free = (name: string): boolean => used.has(name) && !declared.has(name);
  const imports: string[] = [];
  if (free("React")) imports.push('import React from "react";');
  const named = [...REACT_NAMES].filter(free);
  if (named.length > 0) imports.push(`import { ${named.join(", ")} } from "react";`);
  if (free("ReactDOM")) imports.push('import ReactDOM from "react-dom";');
  if (free("createPortal")) imports.push('import { createPortal } from "react-dom";');
  if (free("createRoot")) imports.push('import { createRoot } from "react-dom/client";');
  const mount = [
    ...(free("render") && called.has("render") ? ["render"] : []),
    ...(free("root") && called.has("root.render") ? ["root"] : []),
  ];
  if (mount.length > 0) imports.push(`import { ${mount.join(", ")} } from "${MOUNT_MODULE}";`);
  return imports.join("\n");
}
