// react-router with its browser routers kept in memory: a sandboxed frame's URL is not the document's own, and its
// history cannot be changed. Every document begins at "/", or at its basename.
import { createElement, type ReactElement } from "react";
import {
  createMemoryRouter,
  MemoryRouter,
  type BrowserRouterProps,
  type DOMRouterOpts,
  type RouteObject,
} from "react-router";

export * from "react-router";
export { RouterProvider } from "react-router/dom";

const startOf = (basename: string | undefined) => ({
  ...(basename && { basename }),
  initialEntries: [basename || "/"],
});

export function BrowserRouter({ basename, children }: BrowserRouterProps): ReactElement {
  return createElement(MemoryRouter, { ...startOf(basename), children });
}

export const createBrowserRouter = (routes: RouteObject[], options: DOMRouterOpts = {}) => {
  const { window: _window, ...kept } = options;
  return createMemoryRouter(routes, { ...kept, ...startOf(options.basename) });
};

export { BrowserRouter as HashRouter, createBrowserRouter as createHashRouter };
