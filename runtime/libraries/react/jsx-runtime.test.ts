// Elements of components with default props are what createElement makes of them.
import { expect, test } from "bun:test";

import { Component, createElement, forwardRef, memo, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";

import { Fragment, jsx, jsxs } from "./jsx-runtime.ts";

interface Props {
  readonly label?: string;
  readonly size?: number | null;
  readonly children?: ReactNode;
}

const text = ({ label, size, children }: Props): ReactNode => `${label} ${size} ${typeof children}`;
const defaults = { label: "none", size: 1 };
const Plain = Object.assign((props: Props) => text(props), { defaultProps: defaults });
class Classy extends Component<Props> {
  static defaultProps = defaults;
  override render() {
    return text(this.props);
  }
}

test.each([
  ["a function", Plain],
  ["a class", Classy],
  ["a memoized function", memo(Plain)],
  [
    "a memo with its own",
    Object.assign(
      memo((props: Props) => text(props)),
      { defaultProps: defaults },
    ),
  ],
  [
    "a forwarding function",
    Object.assign(
      forwardRef((props: Props) => text(props)),
      { defaultProps: defaults },
    ),
  ],
])("%s gets its default props where a prop is missing or undefined, and keeps null", (_what, type) => {
  for (const make of [jsx, jsxs]) {
    expect(renderToStaticMarkup(make(type, {}))).toBe("none 1 undefined");
    expect(renderToStaticMarkup(make(type, { label: undefined, size: null }))).toBe("none null undefined");
    expect(renderToStaticMarkup(make(type, { label: "a", children: "b" }, "key"))).toBe("a 1 string");
  }
});

test("props are not changed, and elements without defaults are React's own", () => {
  const props = Object.freeze({ size: 2 });
  expect(jsx(Plain, props, "k")).toMatchObject({ key: "k", props: { label: "none", size: 2 } });
  expect(props).toEqual({ size: 2 });
  expect(jsx("p", { children: "x" })).toEqual(createElement("p", null, "x"));
  expect(jsx(Fragment, { children: "x" })).toEqual(createElement(Fragment, null, "x"));
});
