// Reads what the front matter of a markdown file says of its publication: title, description, slug, project and
// visibility. Only YAML counts; malformed front matter says nothing.
import { frontMatterOf } from "../front-matter.ts";
import { noteLength, slugLength, slugPattern, titleLength } from "../limits.ts";
import { FAILSAFE_SCHEMA, load, YAMLException } from "js-yaml";

/** In characters; a longer text is not a description. */
const MAX_LENGTH = 32_768;

export interface Described {
  readonly title: string | null;
  readonly description: string | null;
  /** As it is written: other programs have paths here, such as `/guide/start`. */
  readonly slug: string | null;
  /** Null where it is no slug: other programs have titles and links here. */
  readonly projectSlug: string | null;
  /** Can only make a document private: a file does not decide that others can read it. */
  readonly isPrivate: boolean;
}

const nothing: Described = { title: null, description: null, slug: null, projectSlug: null, isPrivate: false };

/** Malformed YAML is not an error here: the front matter only suggests a title. */
export function described(content: string): Described {
  const matter = frontMatterOf(content);
  if (matter?.format !== "yaml" || matter.text.length > MAX_LENGTH) return nothing;
  const fields = fieldsOf(matter.text);
  const project = field(fields, "project", MAX_LENGTH);
  return {
    title: field(fields, "title", titleLength),
    description: field(fields, "description", noteLength),
    slug: field(fields, "slug", titleLength),
    projectSlug: project !== null && project.length <= slugLength && slug.test(project) ? project : null,
    isPrivate: field(fields, "visibility", MAX_LENGTH)?.toLowerCase() === "private",
  };
}

const slug = new RegExp(slugPattern);

/** Parses every scalar as a string: a title may be a year or "yes". */
function fieldsOf(yaml: string): unknown {
  try {
    return load(yaml, { schema: FAILSAFE_SCHEMA });
  } catch (error) {
    // A nesting too deep to parse counts as no front matter.
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
