// Content negotiation between an artifact's page and its source.

/** Whether an Accept header names Markdown or plain text ahead of HTML; at equal weight the first named wins. */
export function prefersSource(accept: string): boolean {
  let best: { isSource: boolean; weight: number } | undefined;
  for (const range of accept.toLowerCase().split(",")) {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim());
    const isSource = type === "text/markdown" || type === "text/plain";
    if (!isSource && type !== "text/html" && type !== "application/xhtml+xml") continue;
    const quality = parameters.find((parameter) => parameter.startsWith("q="));
    const weight = quality === undefined ? 1 : Number(quality.slice(2));
    if (weight > (best?.weight ?? 0)) best = { isSource, weight };
  }
  return best?.isSource ?? false;
}
