// Blocks that scroll within the page: reachable by keyboard exactly while there is something to scroll.

export function reachScrollers(): void {
  const observer = new ResizeObserver((entries) => {
    const wide = entries.map(({ target }) => target.scrollWidth > target.clientWidth);
    entries.forEach(({ target }, index) => {
      if (wide[index]) target.setAttribute("tabindex", "0");
      else target.removeAttribute("tabindex");
    });
  });
  const blocks = ".markdown pre, .markdown .math, .markdown .table-scroll, figure.mermaid, .toc";
  for (const block of document.querySelectorAll(blocks)) observer.observe(block);
}
