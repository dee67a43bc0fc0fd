// Reads the facts in the text of an MCP result, as a model does. The expressions are independent of the code that writes
// the texts, so that a fact that a text no longer has fails a test.

/** Undefined where the text does not have the fact. */
export interface Facts {
  readonly url: string | undefined;
  readonly artifactId: string | undefined;
  readonly projectId: string | undefined;
  readonly projectSlug: string | undefined;
  readonly shareLinkId: string | undefined;
  readonly versionNumber: number | undefined;
  /** What a publish did. */
  readonly action: "created" | "updated" | "unchanged" | "returned" | undefined;
  /** Whether a publish left the access of the artifact that was there. */
  readonly keptAccess: boolean;
  readonly nextCursor: string | null;
  readonly totalLines: number | undefined;
  readonly found: number | undefined;
  readonly nextLine: number | undefined;
  readonly nextColumn: number | undefined;
}

interface Result {
  readonly content?: readonly { readonly type: string; readonly text?: string }[];
  readonly isError?: boolean;
  readonly structuredContent?: unknown;
}

/** The parts of text. @throws where the tool refused, where there is structured content, or where nothing is said */
export function textsOf(result: object): string[] {
  const { content = [], isError, structuredContent } = result as Result;
  const texts = content.flatMap(({ type, text }) => (type === "text" ? [text ?? ""] : []));
  if (isError === true) throw new Error(texts.join("\n"));
  if (structuredContent !== undefined) throw new Error("a result has structured content, which replaces its text");
  if (texts.length === 0 || texts.includes("")) throw new Error("a result says nothing");
  return texts;
}

export const textOf = (result: object): string => textsOf(result)[0] ?? "";

/** The source or the comparison; empty where there is none. */
export const sourceOf = (result: object): string => textsOf(result)[1] ?? "";

/** The operation's output, of a call in detail. */
export const detailedOf = (result: object): Record<string, unknown> =>
  JSON.parse(textOf(result)) as Record<string, unknown>;

export function factsOf(result: object): Facts {
  const text = textOf(result);
  const found = (expression: RegExp): string | undefined => expression.exec(text)?.[1];
  const number = (...expressions: RegExp[]): number | undefined => {
    const digits = expressions.map(found).find((one) => one !== undefined);
    return digits === undefined ? undefined : Number(digits);
  };
  const cursor = found(/^For more send cursor (".*")\.$/m);
  return {
    url: found(/^(https?:\/\/\S+?):?\s/),
    artifactId: found(/\b(art_[0-9a-z]{26})\b/),
    projectId: found(/\b(prj_[0-9a-z]{26})\b/),
    projectSlug: found(/ projectSlug "([^"]+)"/),
    shareLinkId: found(/\b(shr_[0-9a-z]{26})\b/),
    versionNumber: number(/^\S+\?v=(\d+)/, / version (\d+)/, / · v(\d+) · /),
    action: actionIn(text),
    keptAccess: text.includes(" Its access was left as it is, "),
    nextCursor: cursor === undefined ? null : (JSON.parse(cursor) as string),
    totalLines: number(/^\S+ has (\d+) lines?[;,]/),
    found: number(/ (\d+) lines? found/),
    nextLine: number(/ send startLine (\d+)/),
    nextColumn: number(/ and startColumn (\d+) for more/),
  };
}

function actionIn(text: string): Facts["action"] {
  if (/^\S+ is published as version 1, /.test(text)) return "created";
  if (/^\S+ was there already, and nothing was written: /.test(text)) return "returned";
  if (/^\S+ was there already; this is its version /.test(text)) return "updated";
  if (!/^\S+ has this very text already, as version /.test(text)) return undefined;
  return text.includes(" Set as you sent: ") ? "updated" : "unchanged";
}
