// The title and description that a markdown file's front matter gives. YAML alone; what can't be read says nothing.
import { frontMatterOf } from "../front-matter.ts";
import { noteLength, titleLength } from "../limits.ts";
import { FAILSAFE_SCHEMA, load, YAMLException } from "js-yaml";

/** Characters; more than that is no description of a document. */
const MAX_LENGTH = 32_768;

export interface Described {
  readonly title: string | null;
  readonly description: string | null;
}

const nothing: Described = { title: null, description: null };

/** Front matter that is no YAML is no error here: it is only where a title may be taken from. */
export function described(content: string): Described {
  const matter = frontMatterOf(content);
  if (matter?.format !== "yaml" || matter.text.length > MAX_LENGTH) return nothing;
  const fields = fieldsOf(matter.text);
  return { title: field(fields, "title", titleLength), description: field(fields, "description", noteLength) };
}

/** Every scalar as it is written: a title may be a year or "yes". */
function fieldsOf(yaml: string): unknown {
  try {
    return load(yaml, { schema: FAILSAFE_SCHEMA });
  } catch (error) {
    // Nested deeper than can be read is no front matter either.
    if (error instanceof YAMLException || error instanceof RangeError) return null;
    throw error;
  }
}

function field(fields: unknown, name: string, length: number): string | null {
  const value: unknown =
    typeof fields === "object" && fields !== null && Object.hasOwn(fields, name) ? Reflect.get(fields, name) : null;
  const text = typeof value === "string" ? value.replaceAll(/\s+/g, " ").trim() : "";
  return text === "" ? null : Array.from(text).slice(0, length).join("").trim();
}
