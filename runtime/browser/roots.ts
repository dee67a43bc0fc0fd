// The roots that documents are rendered into: React's own, with its failures told in the frame. A document's own
// `createRoot` and the mounting of its default export both come here.
import type { ReactNode } from "react";
import { createRoot as createReactRoot, type Root, type RootOptions } from "react-dom/client";
import { tellFailure } from "./failure.ts";

type Container = Parameters<typeof createReactRoot>[0];

const roots = new Map<Container, Root>();
let rendered = false;

/**
 * Like React's, but a missing container means the document's `#root`, and a container that already has a root keeps it:
 * a document that creates a root and also exports its component renders both into the same root.
 */
export function createRoot(wanted: Container | null | undefined, options?: RootOptions): Root {
  const container = wanted ?? documentRoot();
  const known = roots.get(container);
  if (known) return known;
  const root = createReactRoot(container, {
    onUncaughtError: (error, { componentStack }) => void tellFailure(error, { componentStack }),
    ...options,
  });
  const own: Root = {
    render(children) {
      rendered = true;
      root.render(children);
    },
    unmount() {
      roots.delete(container);
      root.unmount();
    },
  };
  roots.set(container, own);
  return own;
}

/** Whether the document has rendered anything by itself. */
export const hasRendered = (): boolean => rendered;

/** `ReactDOM.render` as it was before React 18, and the `render` of playgrounds, which names no container. */
export function render(children: ReactNode, container?: Container | null): void {
  createRoot(container).render(children);
}

/** `ReactDOM.unmountComponentAtNode` of earlier React; true where a root was unmounted. */
export function unmountComponentAtNode(container: Container): boolean {
  const root = roots.get(container);
  root?.unmount();
  return root !== undefined;
}

function documentRoot(): HTMLElement {
  const found = document.getElementById("root");
  if (found) return found;
  const made = document.createElement("div");
  made.id = "root";
  document.body.append(made);
  return made;
}
