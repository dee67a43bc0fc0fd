// Generates invalid requests from the registry: a defect in one field, in the whole body, a header or the path. A case
// is plain data, so that a failing one can be read, shrunk and sent again.
import { bodyFields, hasBody, pathFields, type Operation } from "@plinth/contract/operation";
import * as fc from "fast-check";

import { bodies, headers, methodsFor, prefixes } from "./hostile-framing.ts";
import { shapeOf, wrongJson, wrongQuery, type Shape } from "./hostile-values.ts";
import type { Corruption } from "./corruption.ts";

/** Every possible defect of a request of the operation. */
export function corruptionsOf(op: Operation): fc.Arbitrary<Corruption> {
  const { properties, required } = shapeOf(op.input);
  const isRequired = (name: string) => required?.includes(name) ?? false;
  const body = hasBody(op) ? bodyFields(op) : [];
  const query = hasBody(op) ? [] : bodyFields(op);
  const shapes = properties ?? {};
  const choices: fc.Arbitrary<Corruption>[] = [headers, methodsFor(op), prefixes];
  if (op.foreignQuery !== true) choices.push(strayQuery);
  for (const name of body) choices.push(...fieldCorruptions([name], shapes[name] ?? {}, isRequired(name)));
  if (body.length > 0) choices.push(bodies, fc.constantFrom(...body).chain(anyJson), strayField);
  for (const name of query) choices.push(queryCorruptions(name, shapes[name] ?? {}));
  for (const name of pathFields(op)) choices.push(pathCorruptions(name));
  return fc.oneof(...choices);
}

/** A missing required field, or a value that its schema refuses; also inside objects and lists. */
export function fieldCorruptions(
  at: readonly (string | number)[],
  shape: Shape,
  isRequired: boolean,
): fc.Arbitrary<Corruption>[] {
  const wrong = [...wrongJson(shape), ...(isRequired ? [null] : [])];
  const here = fc.constantFrom(...wrong).map((json): Corruption => ({ kind: "field", at, json }));
  const inside = Object.entries(shape.properties ?? {}).flatMap(([name, member]) =>
    fieldCorruptions([...at, name], member, shape.required?.includes(name) ?? false),
  );
  const items = shape.items ? fieldCorruptions([...at, 0], shape.items, false) : [];
  return [here, ...inside, ...items];
}

const queryCorruptions = (name: string, shape: Shape): fc.Arbitrary<Corruption> =>
  fc.oneof(
    fc.constantFrom(...wrongQuery(shape)).map((value): Corruption => ({ kind: "query", name, values: [value] })),
    fc.constant<Corruption>({ kind: "query", name, values: ["1", "1"] }),
  );

const strayQuery = fc
  .constantFrom("surprise", "__proto__", "constructor", "limit%5B%5D", "%00", "dryrun")
  .map((name): Corruption => ({ kind: "query", name, values: ["1"] }));

const strayField = fc
  .constantFrom("surprise", "__proto__", "constructor", "toString", "", "a.b", "ünï")
  .map((name): Corruption => ({ kind: "field", at: [name], json: "1" }));

/** Any JSON: valid or not, it never causes a 5xx. */
const anyJson = (name: string): fc.Arbitrary<Corruption> =>
  fc.json({ noUnicodeString: false }).map((json): Corruption => ({ kind: "json", at: [name], json }));

const pathCorruptions = (name: string): fc.Arbitrary<Corruption> =>
  fc
    .oneof(
      fc.constantFrom(
        ...["%00", "%2F", "..", "%2e%2e", ".", "%", "%ZZ", "%FF", "%ED%A0%80", "a%00b", "-1", "0", "1e3", "%20"],
        ...["~", "a;b", "*"],
      ),
      fc.constantFrom(
        ...["art_", `art_${"0".repeat(26)}`, `art_8${"0".repeat(25)}`, `ART_${"0".repeat(26)}`, "x".repeat(3000)],
      ),
      fc.string({ unit: "binary", maxLength: 20 }).map(encodeAny),
    )
    .map((value): Corruption => ({ kind: "path", name, value }));

const encodeAny = (text: string): string => encodeURIComponent(text.toWellFormed()) || "%20";
