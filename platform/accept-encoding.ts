// Chooses the content coding of an answer that a client accepts (RFC 9110 12.5.3).

const codings = {
  br: accepting("br"),
  gzip: accepting("gzip"),
  zstd: accepting("zstd"),
} as const;

export type Coding = keyof typeof codings;

/** The first of the codings that an `Accept-Encoding` accepts; null for none. A weight other than 0 does not matter. */
export const codingOf = <Known extends Coding>(accepted: string | null, known: readonly Known[]): Known | null =>
  known.find((coding) => codings[coding].test(accepted ?? "")) ?? null;

function accepting(coding: string): RegExp {
  return new RegExp(String.raw`\b${coding}\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))`);
}
