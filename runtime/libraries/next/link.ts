// next/link for one document: a link within it changes the path that `next/navigation` tells, any other is a plain link.
import { createElement, type AnchorHTMLAttributes, type MouseEvent, type ReactElement, type Ref } from "react";
import { isInside, visit } from "./location.ts";

interface Place {
  pathname?: string;
  query?: Record<string, string>;
  hash?: string;
}

interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href"> {
  href: string | Place;
  ref?: Ref<HTMLAnchorElement>;
  replace?: boolean;
  // Of these a document has no use.
  as?: unknown;
  legacyBehavior?: boolean;
  locale?: unknown;
  passHref?: boolean;
  prefetch?: unknown;
  scroll?: boolean;
  shallow?: boolean;
}

export default function Link({
  href,
  replace = false,
  as: _as,
  legacyBehavior,
  locale: _locale,
  passHref: _passHref,
  prefetch: _prefetch,
  scroll: _scroll,
  shallow: _shallow,
  onClick,
  ...rest
}: LinkProps): ReactElement {
  const address = typeof href === "string" ? href : addressOf(href);
  const follow = (event: MouseEvent<HTMLAnchorElement>): void => {
    onClick?.(event);
    const elsewhere = event.metaKey || event.ctrlKey || event.shiftKey || rest.target === "_blank";
    if (event.defaultPrevented || elsewhere || !isInside(address)) return;
    event.preventDefault();
    visit(address, { replaces: replace });
  };
  // Its child is the link then; a span leaves that as it is.
  if (legacyBehavior) return createElement("span", { ...rest, onClick: follow as never });
  return createElement("a", { ...rest, href: address, onClick: follow });
}

function addressOf({ pathname = "", query = {}, hash = "" }: Place): string {
  const search = new URLSearchParams(query).toString();
  return `${pathname}${search && `?${search}`}${hash && `#${hash.replace(/^#/, "")}`}`;
}
