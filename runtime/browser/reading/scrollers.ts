// Blocks that scroll within the page: reachable by keyboard exactly while there is something to scroll.

export function reachScrollers(): void {
  const observer = new ResizeObserver((entries) => {
    // All are measured before one is changed.
    const measured = entries.map(
      ({ target }) =>
        [target, target.scrollWidth > target.clientWidth || target.scrollHeight > target.clientHeight] as const,
    );
    for (const [target, scrolls] of measured) {
      if (scrolls) target.setAttribute("tabindex", "0");
      else target.removeAttribute("tabindex");
    }
  });
  for (const block of document.querySelectorAll(
    ".markdown pre, .markdown .math, .markdown .table-scroll, figure.mermaid, .toc",
  ))
    observer.observe(block);
}
