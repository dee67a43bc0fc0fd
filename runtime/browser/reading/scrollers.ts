// Blocks that scroll within the page: reachable by keyboard exactly while there is something to scroll.

export function reachScrollers(): void {
  const observer = new ResizeObserver((entries) => {
    const scrolls = entries.map(
      ({ target }) => target.scrollWidth > target.clientWidth || target.scrollHeight > target.clientHeight,
    );
    entries.forEach(({ target }, index) => {
      if (scrolls[index]) target.setAttribute("tabindex", "0");
      else target.removeAttribute("tabindex");
    });
  });
  const blocks = ".markdown pre, .markdown .math, .markdown .table-scroll, figure.mermaid, .toc";
  for (const block of document.querySelectorAll(blocks)) observer.observe(block);
}
