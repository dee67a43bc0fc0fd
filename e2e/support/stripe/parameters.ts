// Reads the parameters of a request by name and kind, and knows which were never asked for: Stripe refuses those.
import { invalid } from "./failure.ts";
import type { Form } from "./form.ts";

/** Of metadata, as Stripe bounds it. */
const bounds = { keys: 50, keyLength: 40, valueLength: 500 };

export class Parameters {
  readonly #known = new Set<string>();

  constructor(
    private readonly form: Form,
    private readonly path = "",
  ) {}

  nameOf(name: string): string {
    return this.path === "" ? name : `${this.path}[${name}]`;
  }

  text(name: string, lengthAtMost = 5000): string | undefined {
    this.#known.add(name);
    const value = this.form.get(name);
    if (value === undefined) return undefined;
    const param = this.nameOf(name);
    if (typeof value !== "string") throw invalid("Invalid string: must be a string", param);
    if (value === "") {
      const unset = `You passed an empty string for '${param}'. We assume empty values are an attempt to unset a parameter`;
      throw invalid(`${unset}; however '${param}' cannot be unset.`, param, "parameter_invalid_empty");
    }
    if (value.length > lengthAtMost)
      throw invalid(`Invalid string: must be at most ${lengthAtMost} characters`, param, "parameter_invalid_string");
    return value;
  }

  required(name: string): string {
    const value = this.text(name);
    if (value !== undefined) return value;
    throw invalid(`Missing required param: ${this.nameOf(name)}.`, this.nameOf(name), "parameter_missing");
  }

  address(name: string): string | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const isAddress = URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
    if (!isAddress) throw invalid("Not a valid URL", this.nameOf(name), "url_invalid");
    return value;
  }

  whole(name: string, { least, most }: { least: number; most: number }): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const param = this.nameOf(name);
    if (!/^-?\d{1,15}$/.test(value)) throw invalid(`Invalid integer: ${value}`, param, "parameter_invalid_integer");
    const number = Number(value);
    if (number < least)
      throw invalid(`This value must be greater than or equal to ${least}.`, param, "parameter_invalid_integer");
    if (number > most)
      throw invalid(`This value must be less than or equal to ${most}.`, param, "parameter_invalid_integer");
    return number;
  }

  truth(name: string): boolean | undefined {
    const value = this.choice(name, ["true", "false"]);
    return value === undefined ? undefined : value === "true";
  }

  choice<Value extends string>(name: string, values: readonly Value[]): Value | undefined {
    const given = this.text(name);
    const value = values.find((one) => one === given);
    if (given !== undefined && value === undefined)
      throw invalid(`Invalid ${this.nameOf(name)}: must be one of ${values.join(", ")}`, this.nameOf(name));
    return value;
  }

  nested<Value>(name: string, read: (inner: Parameters) => Value): Value | undefined {
    this.#known.add(name);
    const value = this.form.get(name);
    if (value === undefined) return undefined;
    if (typeof value === "string") throw invalid("Invalid object", this.nameOf(name));
    const inner = new Parameters(value, this.nameOf(name));
    const result = read(inner);
    inner.end();
    return result;
  }

  list<Value>(name: string, read: (inner: Parameters, index: string) => Value): Value[] | undefined {
    return this.nested(name, (inner) =>
      [...inner.form.keys()].map((index, at) => {
        if (index !== String(at)) throw invalid("Invalid array", this.nameOf(name));
        return read(inner, index);
      }),
    );
  }

  texts(name: string): string[] {
    return this.list(name, (inner, index) => inner.required(index)) ?? [];
  }

  metadata(): Record<string, string> {
    const read = this.nested("metadata", (inner) => {
      const keys = [...inner.form.keys()];
      const name = inner.path;
      if (keys.length > bounds.keys) throw invalid(`Metadata can have up to ${bounds.keys} keys`, name);
      const long = keys.find((key) => key.length > bounds.keyLength);
      if (long !== undefined) throw invalid(`Metadata keys can be up to ${bounds.keyLength} characters`, name);
      return Object.fromEntries(keys.map((key) => [key, inner.text(key, bounds.valueLength) ?? ""]));
    });
    return read ?? {};
  }

  /** @throws StripeFailure for what was not asked for */
  end(): void {
    const unknown = [...this.form.keys()].find((name) => !this.#known.has(name));
    if (unknown === undefined) return;
    const param = this.nameOf(unknown);
    throw invalid(`Received unknown parameter: ${param}`, param, "parameter_unknown");
  }
}
