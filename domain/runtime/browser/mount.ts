// Mounts a document's default export and shows in the frame what went wrong under it.
import { Component, createElement, isValidElement, type ComponentType, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { showError } from "./error-panel.ts";

class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };
  static getDerivedStateFromError() {
    return { failed: true };
  }
  override componentDidCatch(error: unknown) {
    showError(error);
  }
  override render() {
    return this.state.failed ? null : this.props.children;
  }
}

/** Renders a component, or an element as it is, into the document's root. */
export function mount(exported: unknown): void {
  const root = document.getElementById("root");
  if (!root) return;
  const isComponent = typeof exported === "function" || (typeof exported === "object" && exported !== null);
  if (!isComponent) {
    showError(new TypeError(`The default export is ${exported === null ? "null" : typeof exported}, not a component.`));
    return;
  }
  const child = isValidElement(exported) ? exported : createElement(exported as ComponentType);
  createRoot(root).render(createElement(ErrorBoundary, null, child));
}
