// One request in all variants: correct, wrong in body, query or headers, as a dry run and as a repetition.
import { hasBody } from "@plinth/contract/operation";

import type { NamedOperation } from "./call.ts";
import { fresh } from "./people.ts";

export interface Sample {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

type Change = (sample: Sample) => Sample;

const withHeader =
  (name: string, value: string): Change =>
  (sample) => ({ ...sample, headers: { ...sample.headers, [name]: value } });

const withQuery =
  (name: string, value: string): Change =>
  (sample) => {
    const url = new URL(sample.url);
    url.searchParams.append(name, value);
    return { ...sample, url: url.href };
  };

const withBody =
  (change: (body: string) => string): Change =>
  (sample) => ({ ...sample, body: change(sample.body ?? "") });

/** Exceeds the body limit of an instance that allows contents of a kibibyte. */
const tooLarge = JSON.stringify({ content: "a".repeat(512 * 1024) });

/** By name; `etag` is the one that a permitted caller would have. */
export function variantsOf(op: NamedOperation, etag: string): Readonly<Record<string, Change>> {
  const body: Record<string, Change> = hasBody(op)
    ? {
        "an unknown field": withBody((text) => JSON.stringify({ ...(JSON.parse(text) as object), surprise: 1 })),
        "malformed JSON": withBody((text) => text.slice(0, -1)),
        "no object": withBody(() => "[]"),
        "wrong types": withBody((text) =>
          JSON.stringify(Object.fromEntries(Object.keys(JSON.parse(text) as object).map((name) => [name, [7]]))),
        ),
        "a body too large": withBody(() => tooLarge),
        "another content type": withHeader("content-type", "text/plain"),
        "a compressed body": withHeader("content-encoding", "gzip"),
      }
    : {};
  return {
    "as it should be": (sample) => sample,
    ...body,
    "an unknown parameter": withQuery("surprise", "1"),
    "a dry run": withQuery("dryRun", "true"),
    "an idempotency key": withHeader("idempotency-key", fresh("once")),
    "if none match": withHeader("if-none-match", etag),
    "if none match anything": withHeader("if-none-match", "*"),
    "accept a diff": withHeader("accept", "text/x-diff"),
    "accept a page": withHeader("accept", "text/html"),
    "accept events": withHeader("accept", "text/event-stream"),
    "accept nothing": withHeader("accept", "image/nothing;q=0"),
    ...(op.method === "GET" ? { HEAD: (sample: Sample): Sample => ({ ...sample, method: "HEAD" }) } : {}),
  };
}
