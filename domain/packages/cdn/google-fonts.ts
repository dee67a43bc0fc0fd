// Google Fonts as packages: a URL of its style sheets names families, of which Fontsource has a package each with a style
// sheet for each weight, in subsets by unicode-range.
import type { Mapping, Wanted } from "./package-file.ts";

/** Icon fonts, whose style sheets have more than the font. */
const icons: readonly { readonly family: RegExp; readonly wanted: (style: string) => Omit<Wanted, "range"> }[] = [
  {
    family: /^Material Icons(?: (Outlined|Round|Sharp|Two Tone))?$/,
    wanted: (style) => ({
      name: "material-icons",
      find: { by: "path", path: `iconfont/${style === "" ? "filled" : style}.css` },
    }),
  },
  {
    family: /^Material Symbols (Outlined|Rounded|Sharp)$/,
    wanted: (style) => ({ name: "material-symbols", find: { by: "path", path: `${style}.css` } }),
  },
];

const mostFaces = 64;

export function googleFonts({ pathname, searchParams }: URL): Mapping {
  const families =
    pathname === "/css2"
      ? searchParams.getAll("family").map(byAxes)
      : pathname === "/css" || pathname === "/icon"
        ? (searchParams.get("family") ?? "").split("|").map(byVariants)
        : null;
  if (families === null) return null;
  const wanted = families.flatMap(({ family, faces }) => iconSheet(family) ?? faces.map((face) => sheet(family, face)));
  return wanted.length === 0 || wanted.length > mostFaces ? null : wanted;
}

interface Family {
  readonly family: string;
  /** `400`, `700-italic`. */
  readonly faces: readonly string[];
}

/** `Inter:ital,wght@0,400;1,300..700` of css2. */
function byAxes(text: string): Family {
  const [family = "", spec = ""] = text.split(":");
  const [axes = "", tuples = ""] = spec.split("@");
  const names = axes.split(",");
  const faces = tuples.split(";").flatMap((tuple) => {
    const values = tuple.split(",");
    const valueOf = (axis: string): string | undefined => values[names.indexOf(axis)];
    return weightsOf(valueOf("wght") ?? "400").map((weight) => face(weight, valueOf("ital") === "1"));
  });
  return { family: family.trim(), faces: [...new Set(faces)] };
}

/** `Roboto:400,700italic` of css. */
function byVariants(text: string): Family {
  const [family = "", variants = ""] = text.split(":");
  const faces = (variants === "" ? "400" : variants).split(",").map((variant) => {
    const [, weight = "400"] = /(\d{3})/.exec(variant) ?? (/^b/i.test(variant) ? ["", "700"] : []);
    return face(Number(weight), /\di|ital|^b?i$/i.test(variant));
  });
  return { family: family.replaceAll("+", " ").trim(), faces: [...new Set(faces)] };
}

/** A range of a variable font is each of its hundreds. */
function weightsOf(text: string): number[] {
  const [from = 400, to = from] = text.split("..").map(Number);
  return [100, 200, 300, 400, 500, 600, 700, 800, 900].filter((weight) => weight >= from && weight <= to);
}

const face = (weight: number, isItalic: boolean): string => `${weight}${isItalic ? "-italic" : ""}`;

/** Optional and a part: Google leaves out the faces that a family has not, and the families that it has not. */
const sheet = (family: string, name: string): Wanted => ({
  name: `@fontsource/${family.toLowerCase().replaceAll(/[^a-z\d]+/g, "-")}`,
  range: "",
  find: { by: "path", path: `${name}.css` },
  isOptional: true,
  isPart: true,
});

function iconSheet(family: string): Wanted[] | null {
  for (const { family: pattern, wanted } of icons) {
    const [whole, style = ""] = pattern.exec(family) ?? [];
    if (whole !== undefined) return [{ ...wanted(style.toLowerCase().replaceAll(" ", "-")), range: "", isPart: true }];
  }
  return null;
}
