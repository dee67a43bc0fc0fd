// Mounts a document's default export, and stands for the `render` and `root` that playgrounds provide.
import { createElement, isValidElement, type ComponentType, type ReactElement, type ReactNode } from "react";
import { tellFailure } from "./failure.ts";
import { createRoot, hasRendered } from "./roots.ts";

export { render } from "./roots.ts";

/** The document's own root, made with the first use. */
export const root = {
  render: (children: ReactNode): void => createRoot(null).render(children),
  unmount: (): void => createRoot(null).unmount(),
};

/** Renders a component, or an element as it is, into the document's root, unless it has rendered something itself. */
export function mount(exported: unknown): void {
  if (hasRendered()) return;
  if (isShowable(exported)) root.render(isValidElement(exported) ? exported : createElement(exported));
  else void tellFailure(`The default export is ${kindOf(exported)}, not a component.`);
}

// A component wrapped by memo, forwardRef or lazy is an object with React's `$$typeof`.
function isShowable(value: unknown): value is ComponentType | ReactElement {
  return typeof value === "function" || (typeof value === "object" && value !== null && "$$typeof" in value);
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
