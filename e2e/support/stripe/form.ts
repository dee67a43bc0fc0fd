// The form encoding of Stripe's requests, `line_items[0][price]=price_1`, as the official client writes it.
import { invalid } from "./failure.ts";

export type Form = ReadonlyMap<string, string | Form>;
type Filling = Map<string, string | Filling>;

/** Deeper than any parameter of Stripe's. */
const depthAtMost = 8;

/** @throws StripeFailure for a name that is no path, or is both a value and a place of values */
export function parseForm(text: string): Form {
  const form: Filling = new Map();
  for (const [name, value] of new URLSearchParams(text)) fill(form, pathOf(name), value, name);
  return form;
}

function pathOf(name: string): string[] {
  const match = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name);
  if (match?.[1] === undefined) throw invalid(`Invalid parameter name: ${name}`, name);
  const inner = [...(match[2] ?? "").matchAll(/\[([^[\]]*)\]/g)].map((part) => part[1] ?? "");
  if (inner.length > depthAtMost) throw invalid(`Parameter is nested too deep: ${name}`, name);
  return [match[1], ...inner];
}

function fill(form: Filling, [first = "", ...rest]: readonly string[], value: string, name: string): void {
  // `expand[]=` is the next of a list.
  const key = first === "" ? String(form.size) : first;
  const before = form.get(key);
  if (rest.length === 0) {
    if (before !== undefined) throw invalid(`Parameter is given twice: ${name}`, name);
    form.set(key, value);
    return;
  }
  if (typeof before === "string") throw invalid(`Invalid object: ${name}`, name);
  const inner: Filling = before ?? new Map();
  form.set(key, inner);
  fill(inner, rest, value, name);
}
