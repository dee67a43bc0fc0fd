// The labels of a document's equations and the references to them, which KaTeX does not know: it has each formula by itself,
// and numbers rows by a counter of the style sheet. A document without a label is left as it is.

interface Label {
  /** The number or the author's own tag, as text. */
  readonly tag: string;
  /** The element's id of the formula that has it. */
  readonly id: string;
}

export interface Equation {
  /** Of the formula, with its numbers and without labels. */
  readonly source: string;
  /** Null where it has no label. */
  readonly id: string | null;
}

interface Formula {
  readonly source: string;
  readonly isDisplay: boolean;
}

/** Environments whose rows are numbered by themselves; with a star, only those with a label. */
const numbered = new Set(["equation", "align", "alignat", "gather"]);
const piece =
  /\\begin\{([a-z]+)(\*?)\}|\\end\{[a-z]+\*?\}|\\tag\*?\{([^{}]*)\}|\\label\{([^{}]*)\}|\\(?:notag|nonumber)(?![A-Za-z])|\\\\|\\[^]/g;
/** What a tag can be as text within a formula. */
const plainTag = /^[^\\${}%#&~^_]{1,40}$/;

export class Equations {
  readonly #labels = new Map<string, Label>();
  #number = 0;
  /** In the order of the formulas. */
  readonly equations: readonly Equation[];

  /** Of all formulas of a document, in order. */
  constructor(formulas: readonly Formula[]) {
    const hasLabels = formulas.some(({ source }) => source.includes("\\label{"));
    const all = formulas.map((formula, index) => (hasLabels ? this.#numbered(formula, `eqn-${index + 1}`) : formula));
    this.equations = all.map(({ source, ...rest }) => ({
      source: this.#labels.size === 0 ? source : this.#withReferences(source),
      id: "id" in rest ? rest.id : null,
    }));
  }

  /** What a formula of nothing but a reference leads to; null where it is another, or there is no such label. */
  referenceOf(source: string): { readonly href: string; readonly text: string } | null {
    const [, kind, name = ""] = /^\s*\\(eq)?ref\{([^{}]*)\}\s*$/.exec(source) ?? [];
    const label = this.#labels.get(name);
    return label === undefined ? null : { href: `#${label.id}`, text: kind === "eq" ? `(${label.tag})` : label.tag };
  }

  #withReferences(source: string): string {
    if (this.referenceOf(source) !== null) return source;
    return source.replaceAll(/\\(eq)?ref\{([^{}]*)\}/g, (whole, kind: string | undefined, name: string) => {
      const tag = this.#labels.get(name)?.tag;
      if (tag === undefined || !plainTag.test(tag)) return whole;
      return kind === "eq" ? `\\text{(${tag})}` : `\\text{${tag}}`;
    });
  }

  #numbered({ source, isDisplay }: Formula, id: string): Equation {
    if (!isDisplay) return { source: source.replaceAll(/\\label\{[^{}]*\}/g, ""), id: null };
    let [written, done, rowStart, depth] = ["", 0, 0, 0];
    let environment: { readonly hasRows: boolean; readonly isNumbered: boolean } | null = null;
    let isSilent = false;
    let tag: string | null = null;
    let lastTag: string | null = null;
    let names: string[] = [];
    let hasLabel = false;
    const endRow = (at: number): void => {
      written += source.slice(done, at);
      done = at;
      const isNumbered = environment?.isNumbered === true && !isSilent && source.slice(rowStart, at).trim() !== "";
      if (tag === null && (isNumbered || names.length > 0)) {
        // A label behind an environment is of its last row.
        const isOfRow = environment === null && lastTag !== null;
        tag = isOfRow ? lastTag : String(++this.#number);
        if (!isOfRow) written += ` \\tag{${tag}}`;
      }
      for (const name of names) if (!this.#labels.has(name)) this.#labels.set(name, { tag: tag ?? "", id });
      hasLabel ||= names.length > 0;
      [lastTag, tag, names, isSilent, rowStart] = [tag ?? lastTag, null, [], false, at];
    };
    for (const { 0: whole, 1: begun, 2: star, 3: givenTag, 4: name, index } of source.matchAll(piece)) {
      if (begun !== undefined) {
        if (depth++ === 0 && numbered.has(begun)) {
          environment = { hasRows: begun !== "equation", isNumbered: star === "" };
          rowStart = index + whole.length;
        }
      } else if (whole.startsWith("\\end{")) {
        if (--depth === 0 && environment !== null) {
          endRow(index);
          environment = null;
        }
      } else if (givenTag !== undefined) tag = givenTag;
      else if (name !== undefined) {
        written += source.slice(done, index);
        done = index + whole.length;
        names.push(name);
      } else if (whole.startsWith("\\no")) isSilent = true;
      else if (whole === "\\\\" && depth === 1 && environment?.hasRows === true) {
        endRow(index);
        rowStart = index + whole.length;
      }
    }
    endRow(source.length);
    return { source: written, id: hasLabel ? id : null };
  }
}
