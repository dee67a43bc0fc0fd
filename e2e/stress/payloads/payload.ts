// A payload: a document, or a text around one, that attacks its reader; and its target. Knows no instance and no
// browser.
import type { ArtifactType } from "@plinth/contract/schemas/artifact";

/** Where a payload reports to and what it attacks. */
export interface Target {
  /** The payload's name, `family/what`, with which all its reports begin. */
  readonly name: string;
  /** URL of the server elsewhere that receives reports; they begin with it and the name. */
  readonly collector: string;
  /** Origin that the victim is signed in to. */
  readonly app: string;
  /** An artifact of the victim, whose access it tries to change. */
  readonly victim: string;
  /** Host and port of this payload's plain socket elsewhere: a connection is the report. */
  readonly socket: string;
  /** Host and port of a datagram socket elsewhere, likewise. */
  readonly datagrams: string;
  /** A URL elsewhere whose request is the report. */
  readonly hit: (way?: string) => string;
  /**
   * JavaScript that reports an expression's value; it has the same characters as `strike`, apart from the expression.
   */
  readonly tell: (way: string, expression: string) => string;
  /**
   * JavaScript that reports that it ran and what it could read and do. One line without quotation marks (U+0022), an ampersand,
   * an angle bracket and a percent sign, so that it fits into attributes and URLs unescaped.
   */
  readonly strike: string;
}

export type Source = (target: Target) => string;

export interface Payload {
  readonly name: string;
  readonly family: string;
  /** Its source by artifact type; a text accompanies each. */
  readonly sources: Readonly<Partial<Record<ArtifactType, Source>>>;
  /** A text for titles, descriptions and version descriptions instead of a document. */
  readonly text?: Source;
  /** Its links and buttons are pressed, as a misled reader would. */
  readonly pressed: boolean;
  /**
   * `page`: when pressed, it can open a page elsewhere without data, as links do. `refusal`: publishing it can be
   * refused.
   */
  readonly allows: readonly Allowance[];
  /** Why the control cannot show an effect; then it does not count. By type, or for all. */
  readonly unproven?: string | Readonly<Partial<Record<ArtifactType, string>>>;
  /** Libraries that the control loads with it, as a careless reader of such a document would. */
  readonly needs?: "katex" | "mermaid";
}

export type Allowance = "page" | "refusal";

type Draft = Omit<Payload, "name" | "family" | "pressed" | "allows">;
type Options = Partial<Pick<Payload, "pressed" | "allows" | "unproven">>;
type Made = Draft & Options;

/** Names the payloads of a family. */
export const family = (name: string, members: Readonly<Record<string, Made>>): Payload[] =>
  Object.entries(members).map(([what, made]) => ({
    ...made,
    name: `${name}/${what}`,
    family: name,
    pressed: made.pressed ?? false,
    allows: made.allows ?? [],
  }));

/** HTML for all three types: raw in markdown, in a page, and inserted by a component. */
export const markup = (source: Source, options: Options = {}): Made => ({
  ...options,
  sources: { md: raw(source), html: page(source), jsx: insertedBy(source) },
});

/** HTML for a page and raw in markdown, which has no effect when a script inserts it. */
export const parsedMarkup = (source: Source, options: Options = {}): Made => ({
  ...options,
  sources: { md: raw(source), html: page(source) },
});

/** JavaScript for all three types: the body of an async function. */
export const script = (source: Source, options: Options = {}): Made => {
  const wrapped: Source = (target) => `(async () => { ${source(target)} })().catch((error) => console.info(error));`;
  const element: Source = (target) => `<script>${wrapped(target)}</script>`;
  return { ...options, sources: { md: raw(element), html: page(element), jsx: effect(wrapped) } };
};

/** A whole html document, which markdown gets unchanged. */
export const page =
  (source: Source): Source =>
  (target) =>
    /^<!doctype/i.test(source(target))
      ? source(target)
      : `<!doctype html><title>Payload</title><body>${source(target)}`;

export const markdown = (source: Source, options: Options & Pick<Draft, "needs"> = {}): Made => ({
  ...options,
  sources: { md: source },
});

export const html = (source: Source, options: Options = {}): Made => ({ ...options, sources: { html: source } });

/** The source of a jsx document. */
export const component = (source: Source, options: Options = {}): Made => ({ ...options, sources: { jsx: source } });

export const text = (source: Source, options: Options = {}): Made => ({ ...options, sources: {}, text: source });

/** A block of html, which a markdown parser passes through unchanged. */
const raw =
  (source: Source): Source =>
  (target) =>
    `# Payload\n\n<div>${source(target)}\n</div>\n\nThe end of it.\n`;

/** Inserted by React if that suffices, otherwise by the parser that also runs scripts. */
const insertedBy =
  (source: Source): Source =>
  (target) => {
    const made = JSON.stringify(source(target));
    if (!/<script|<iframe/i.test(made))
      return `export default () => <div dangerouslySetInnerHTML={{ __html: ${made} }} />;\n`;
    return effect(() => `document.body.append(document.createRange().createContextualFragment(${made}));`)(target);
  };

const effect =
  (source: Source): Source =>
  (target) =>
    `import { useEffect } from "react";
export default function Payload() {
  useEffect(() => { ${source(target)} }, []);
  return <p>The end of it.</p>;
}
`;
