// Reads the parameters of a request by their names in Stripe's form encoding, such as `line_items[0][price]`, and knows which
// were never asked for: Stripe refuses those.
import { invalid } from "./failure.ts";

/** Of metadata, as Stripe bounds it. */
const bounds = { keys: 50, keyLength: 40, valueLength: 500 };

export class Parameters {
  readonly #given = new Map<string, string>();
  readonly #read = new Set<string>();

  /** @throws StripeFailure for a name that is given twice */
  constructor(form: string) {
    for (const [name, value] of new URLSearchParams(form)) {
      if (this.#given.has(name)) throw invalid(`Parameter is given twice: ${name}`, name);
      this.#given.set(name, value);
    }
  }

  text(name: string, lengthAtMost = 5000): string | undefined {
    this.#read.add(name);
    const value = this.#given.get(name);
    if (value === "")
      throw invalid(
        `You passed an empty string for '${name}', which cannot be unset.`,
        name,
        "parameter_invalid_empty",
      );
    if (value !== undefined && value.length > lengthAtMost)
      throw invalid(`Invalid string: must be at most ${lengthAtMost} characters`, name, "parameter_invalid_string");
    return value;
  }

  required(name: string): string {
    const value = this.text(name);
    if (value === undefined) throw invalid(`Missing required param: ${name}.`, name, "parameter_missing");
    return value;
  }

  address(name: string): string | undefined {
    const value = this.text(name);
    if (value === undefined || /^https?:$/.test(URL.parse(value)?.protocol ?? "")) return value;
    throw invalid("Not a valid URL", name, "url_invalid");
  }

  whole(name: string, { least, most }: { least: number; most: number }): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const number = Number(value);
    if (/^\d{1,15}$/.test(value) && number >= least && number <= most) return number;
    throw invalid(`Invalid integer: ${value} is not from ${least} to ${most}`, name, "parameter_invalid_integer");
  }

  truth(name: string): boolean | undefined {
    const value = this.choice(name, ["true", "false"]);
    return value === undefined ? undefined : value === "true";
  }

  choice<Value extends string>(name: string, values: readonly Value[]): Value | undefined {
    const given = this.text(name);
    const value = values.find((one) => one === given);
    if (given !== undefined && value === undefined)
      throw invalid(`Invalid ${name}: must be one of ${values.join(", ")}`, name);
    return value;
  }

  /** Whether the request asks for the one expansion that there is. @throws StripeFailure for any other */
  expands(known: string): boolean {
    const asked = this.text("expand[0]");
    if (asked !== undefined && asked !== known) throw invalid(`This property cannot be expanded (${asked}).`, "expand");
    return asked === known;
  }

  metadata(name: string): Record<string, string> {
    const keys = [...this.#given.keys()]
      .filter((given) => given.startsWith(`${name}[`))
      .map((given) => given.slice(name.length + 1, -1));
    if (keys.length > bounds.keys) throw invalid(`Metadata can have up to ${bounds.keys} keys`, name);
    const long = keys.find((key) => key.length > bounds.keyLength);
    if (long !== undefined) throw invalid(`Metadata keys can be up to ${bounds.keyLength} characters`, name);
    return Object.fromEntries(keys.map((key) => [key, this.text(`${name}[${key}]`, bounds.valueLength) ?? ""]));
  }

  /** @throws StripeFailure for what was not asked for */
  end(): void {
    const unknown = [...this.#given.keys()].find((name) => !this.#read.has(name));
    if (unknown !== undefined) throw invalid(`Received unknown parameter: ${unknown}`, unknown, "parameter_unknown");
  }
}
