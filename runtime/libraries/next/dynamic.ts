// next/dynamic for one document: React's `lazy` within a separate Suspense.
import { createElement, lazy, Suspense, type ComponentType, type ReactElement } from "react";

type Loaded<Props> = ComponentType<Props> | { default: ComponentType<Props> };
type Load<Props> = () => Promise<Loaded<Props>>;

interface DynamicOptions {
  loading?: ComponentType<{ isLoading: boolean; pastDelay: boolean; error: null }>;
  ssr?: boolean;
}

export default function dynamic<Props extends object>(
  load: Load<Props>,
  { loading }: DynamicOptions = {},
): ComponentType<Props> {
  const Content = lazy(async () => {
    const loaded = await load();
    return "default" in loaded ? loaded : { default: loaded };
  }) as unknown as ComponentType<Props>;
  return function Dynamic(props: Props): ReactElement {
    const fallback = loading && createElement(loading, { isLoading: true, pastDelay: true, error: null });
    return createElement(Suspense, { fallback }, createElement(Content, props));
  };
}
