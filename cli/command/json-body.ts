// `--json`: an input body given as a literal, as `@file`, or on standard input as `-`.
import { bodyBytesBeyondContent, contentBytes } from "@plinth/contract/limits";

import { usage } from "../failure/failure.ts";
import type { Reader } from "../io/reader.ts";

/** Bytes: JSON may write one byte of the content as six characters. */
const longestBody = 6 * contentBytes.max + bodyBytesBeyondContent;

/** Reads the body. @throws Failure usage where it is not a JSON object */
export async function readBody(given: string, reader: Reader): Promise<Record<string, unknown>> {
  const name = given === "-" ? "-" : given.startsWith("@") ? given.slice(1) : null;
  const text = name === null ? given : (await reader.source(name, longestBody)).content;
  let body: unknown;
  try {
    body = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw usage("--json is not valid JSON", {
      hint: "Give an object, @file, or - for standard input",
      cause: error,
    });
  }
  if (typeof body !== "object" || body === null || Array.isArray(body)) throw usage("--json must be an object");
  return body as Record<string, unknown>;
}
