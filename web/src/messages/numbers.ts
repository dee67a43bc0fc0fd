// Numbers and plurals of a language, for small scripts that need no more of formats.ts.

/** The forms of a text by number; `#` stands for the number. */
interface PluralForms {
  readonly one: string;
  readonly other: string;
}

function formatsOf(locale: string) {
  // Made where they are first used: each takes a millisecond.
  let numbers: Intl.NumberFormat | undefined;
  let rules: Intl.PluralRules | undefined;
  const number = (value: number): string => (numbers ??= new Intl.NumberFormat(locale)).format(value);
  return {
    number,
    /** The form for the number, with the number for `#`. */
    plural: (count: number, forms: PluralForms): string =>
      forms[(rules ??= new Intl.PluralRules(locale)).select(count) === "one" ? "one" : "other"].replaceAll(
        "#",
        number(count),
      ),
  };
}

export const en = formatsOf("en-GB");
export const de = formatsOf("de-DE");
