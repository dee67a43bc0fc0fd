// Defects of a request outside its fields: the body as a whole, headers, method and path.
import type { Operation } from "@plinth/contract/operation";
import { operations } from "@plinth/contract/registry";
import * as fc from "fast-check";

import type { Corruption } from "./corruption.ts";

const utf8 = (text: string): Buffer => Buffer.from(text);
const json = { "content-type": "application/json" };
/** Bodies that are not a JSON object, or not declared as one. */
export const bodies: fc.Arbitrary<Corruption> = fc
  .oneof(
    fc
      .constantFrom(
        "",
        " ",
        "nul",
        "{",
        '{"a":',
        "[]",
        "null",
        '"text"',
        "7",
        "\uFEFF{}",
        "{'a':1}",
        '{"a":1,}',
        "NaN",
        "//\n{}",
      )
      .map(utf8),
    fc.constantFrom(4, 17, 1000, 100_000).map((depth) => utf8(`{"content":${"[".repeat(depth)}${"]".repeat(depth)}}`)),
    fc
      .constantFrom(
        [0x22, 0xff, 0x22],
        [0x7b, 0xc3, 0x28, 0x7d],
        [0x22, 0xed, 0xa0, 0x80, 0x22],
        [0xfe, 0xff, 0x00, 0x7b],
      )
      .map((bytes) => Buffer.from(bytes)),
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  )
  .map((bytes): Corruption => ({ kind: "body", base64: bytes.toString("base64"), headers: json }))
  .chain((corruption) => fc.oneof({ weight: 3, arbitrary: fc.constant(corruption) }, wrongTypes));

const wrongTypes: fc.Arbitrary<Corruption> = fc
  .constantFrom<Record<string, string>>(
    {},
    { "content-type": "" },
    { "content-type": "text/plain" },
    { "content-type": "application/x-www-form-urlencoded" },
    { "content-type": "multipart/form-data; boundary=x" },
    { "content-type": "application/json; charset=utf-16" },
    { "content-type": "application/json/x" },
    { ...json, "content-encoding": "gzip" },
    { ...json, "content-encoding": "br, gzip" },
    { ...json, "content-encoding": "nonsense" },
  )
  .map((headers) => ({ kind: "body", base64: Buffer.from(Bun.gzipSync("{}")).toString("base64"), headers }));

/** Share tokens that open nothing: each must count as none. */
const shareTokens: fc.Arbitrary<Corruption> = fc
  .oneof(
    fc.constantFrom("pls_", "PLS_", "pls_\xe9", "plk_x", "Bearer pls_x", "pls_x, pls_y", "shr_0", "../pls_", '"pls_x"'),
    fc.stringMatching(/^pl[skao]_[0-9A-Za-z]{39}$/),
    fc.integer({ min: 0, max: 200 }).map((length) => `pls_${"z".repeat(length)}`),
  )
  .map((value) => ({ kind: "header", name: "x-share-token", value }));

/** Headers that a client or proxy could get wrong. */
const anyHeader: fc.Arbitrary<Corruption> = fc
  .tuple(
    fc.constantFrom(
      ...["authorization", "x-request-id", "idempotency-key", "accept", "if-none-match", "cookie", "x-share-token"],
      ...["user-agent", "x-forwarded-for", "forwarded", "origin", "accept-encoding", "range", "expect"],
      ...["x-http-method-override", "sec-fetch-site"],
    ),
    fc.oneof(
      fc.constantFrom(
        ...["", " ", "*", "null", "%00", '"', "W/", "\xff\xfe", "é", ",,,", "a".repeat(256), "a".repeat(7000)],
        ...["Bearer", "Bearer ", "Bearer plk_x", "Basic Og=="],
      ),
      fc.string({
        unit: fc
          .integer({ min: 0x20, max: 0xff })
          .filter((code) => code !== 0x7f)
          .map((code) => String.fromCharCode(code)),
        maxLength: 40,
      }),
    ),
  )
  .map(([name, value]) => ({ kind: "header", name, value }));

export const headers: fc.Arbitrary<Corruption> = fc.oneof({ weight: 3, arbitrary: anyHeader }, shareTokens);

/** Any method except DELETE if that is an operation, because the other requests need their objects. */
export const methodsFor = (op: Operation): fc.Arbitrary<Corruption> =>
  fc
    .constantFrom("HEAD", "OPTIONS", "PUT", "PATCH", "DELETE", "POST", "GET")
    .filter(
      (method) => method !== "DELETE" || !operations.some((other) => other.method === method && other.path === op.path),
    )
    .map((method) => ({ kind: "method", method }));

/** Paths that lead elsewhere, or nowhere. */
export const prefixes: fc.Arbitrary<Corruption> = fc
  .constantFrom(
    ...["/api//", "/api/./", "/api/%2e%2e/api/", "/api/x/..%2f", "/api/%00/", "/API/", "/api/%2F/", "/api/\\"],
    `/api/${"x/".repeat(2000)}`,
  )
  .map((path) => ({ kind: "prefix", path }));
