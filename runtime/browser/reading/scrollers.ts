// Blocks that scroll within the page: reachable by keyboard exactly while there is something to scroll.

export function reachScrollers(): void {
  const observer = new ResizeObserver((entries) => {
    const scrolls = entries.map(
      ({ target }) => target.scrollWidth > target.clientWidth || target.scrollHeight > target.clientHeight,
    );
    for (const { target } of entries) {
      if (scrolls.shift() === true) target.setAttribute("tabindex", "0");
      else target.removeAttribute("tabindex");
    }
  });
  for (const block of document.querySelectorAll(
    ".markdown pre, .markdown .math, .markdown .table-scroll, figure.mermaid, .toc",
  ))
    observer.observe(block);
}
