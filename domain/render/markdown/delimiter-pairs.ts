// Turns pairs of delimiters, which the parser has matched, into the elements that they stand for.
import type { MarkdownIt, StateInline } from "markdown-it";

/** Registers the rule that makes elements of `tag` from the delimiters of `markers`, for a rule that pushes these. */
export function withDelimiterPairs(parser: MarkdownIt, name: string, tag: string, markers: readonly number[]): void {
  parser.inline.ruler2.after("balance_pairs", name, (state) => {
    for (const delimiters of [state.delimiters, ...state.tokens_meta.map((meta) => meta?.delimiters ?? [])]) {
      pair(state, delimiters, tag, markers);
    }
  });
}

function pair({ tokens }: StateInline, delimiters: StateInline["delimiters"], tag: string, markers: readonly number[]) {
  for (const opener of delimiters) {
    const closer = delimiters[opener.end];
    if (!markers.includes(opener.marker) || !closer) continue;
    for (const [delimiter, nesting] of [
      [opener, 1],
      [closer, -1],
    ] as const) {
      const token = tokens[delimiter.token];
      if (!token) continue;
      token.type = nesting === 1 ? `${tag}_open` : `${tag}_close`;
      token.tag = tag;
      token.nesting = nesting;
      token.content = "";
    }
  }
}
