// Reads what the front matter of a markdown file says of its publication: title, description, slug, project and
// visibility. Only YAML counts; malformed front matter says nothing.
import { frontMatterOf } from "../front-matter.ts";
import { noteLength, slugLength, slugPattern, titleLength } from "../limits.ts";

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
  const fields = frontMatterOf(content)?.fields;
  if (fields === undefined) return nothing;
  const project = field(fields, "project");
  return {
    title: field(fields, "title", titleLength),
    description: field(fields, "description", noteLength),
    slug: field(fields, "slug", titleLength),
    projectSlug: project !== null && project.length <= slugLength && slug.test(project) ? project : null,
    isPrivate: field(fields, "visibility")?.toLowerCase() === "private",
  };
}

const slug = new RegExp(slugPattern);

/** `length` in characters. */
function field(fields: Readonly<Record<string, unknown>>, name: string, length = Infinity): string | null {
  const value = Object.hasOwn(fields, name) ? fields[name] : null;
  const text = typeof value === "string" ? value.replaceAll(/\s+/g, " ").trim() : "";
  return text === "" ? null : Array.from(text).slice(0, length).join("").trim();
}
