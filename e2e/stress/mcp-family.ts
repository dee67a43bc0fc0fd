// A family of cases: what is drawn, how it corrupts a valid message, and what the protocol requires then. The drawn
// data are plain, so that a failing case can be read and sent again.
import * as fc from "fast-check";

import { mark, setParams, type Draft } from "./mcp-draft.ts";
import { ok, type Expected } from "./mcp-expectations.ts";

/** The valid message that a family starts with: a call that is never executed, one that can be, or any message. */
export type Base = "call" | "tool" | "any";

export interface Family<Data = unknown> {
  readonly base: Base;
  readonly data: fc.Arbitrary<Data>;
  corrupt(draft: Draft, data: Data): Expected;
}

export const family = <Data>(base: Base, data: fc.Arbitrary<Data>, corrupt: Family<Data>["corrupt"]): Family => ({
  base,
  data,
  corrupt,
});

export const done = ({ id }: Draft): Expected => ({ ...ok, id });
export const json = (...texts: string[]): fc.Arbitrary<string> => fc.constantFrom(...texts);
export const prototypes = ["__proto__", "constructor", "toString", "hasOwnProperty", "prototype"] as const;
export const nested = (depth: number): string => `${"[".repeat(depth)}${"]".repeat(depth)}`;

/** Replaces a member of the message with a JSON text. */
export function put(draft: Draft, member: string, text: string): void {
  draft.message = { ...draft.message, [member]: mark };
  draft.marked = text;
}

export function putParam(draft: Draft, param: string, text: string): void {
  setParams(draft, { [param]: mark });
  draft.marked = text;
}
