// react/jsx-runtime with `defaultProps` of function components: React 19 drops them here without a word, while its
// createElement still applies them.
import { Fragment, jsx as element, jsxs as elements } from "react/jsx-runtime";

type Make = typeof element;
type Props = Readonly<Record<string, unknown>>;

const memo = Symbol.for("react.memo");

/** Of a memoized component also those of the component within, as React 18 had it. */
function defaultPropsOf(type: unknown): Props | undefined {
  if (type === null || (typeof type !== "function" && typeof type !== "object")) return undefined;
  const own = Reflect.get(type, "defaultProps") as Props | undefined;
  if (own !== undefined || Reflect.get(type, "$$typeof") !== memo) return own;
  return defaultPropsOf(Reflect.get(type, "type"));
}

const withDefaults =
  (make: Make): Make =>
  (type, props, key) => {
    // Most elements are of the page's own kinds.
    const defaults = typeof type === "string" ? undefined : defaultPropsOf(type);
    if (defaults === undefined || defaults === null) return make(type, props, key);
    const given = props as Props;
    const missing = Object.entries(defaults).filter(([name]) => given[name] === undefined);
    return make(type, missing.length === 0 ? props : { ...given, ...Object.fromEntries(missing) }, key);
  };

export const jsx = withDefaults(element);
export const jsxs = withDefaults(elements);
export { Fragment };
