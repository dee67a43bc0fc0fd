// What a payload is: a document, or a text around one, that attacks whoever looks at it; and what it is aimed at.
// Knows no instance and no browser.
import type { ArtifactType } from "@plinth/contract/schemas/artifact";

/** Where a payload reports to and what it reaches for. */
export interface Target {
  /** The payload's name, `family/what`, which every report of it begins with. */
  readonly name: string;
  /** Address of the server elsewhere that hears reports; theirs begin with it and the name. */
  readonly collector: string;
  /** Origin that the victim is signed in to. */
  readonly app: string;
  /** An artifact of the victim's, whose access it tries to change. */
  readonly victim: string;
  /** Host and port of a plain socket elsewhere, the payload's own: that somebody connects is the report. */
  readonly socket: string;
  /** Host and port of a datagram socket elsewhere, likewise. */
  readonly datagrams: string;
  /** An address elsewhere that reports by being asked for. */
  readonly hit: (way?: string) => string;
  /** JavaScript that reports an expression's value; of the same characters as `strike`, but for the expression's. */
  readonly tell: (way: string, expression: string) => string;
  /**
   * JavaScript that reports that it ran, with whatever it could read and do. On one line, without a double quote, an
   * ampersand, an angle bracket or a percent sign, so that it fits into attributes and addresses as it is.
   */
  readonly strike: string;
}

export type Source = (target: Target) => string;

export interface Payload {
  readonly name: string;
  readonly family: string;
  /** Its source by the type of the artifact it is published as; a text is published around each. */
  readonly sources: Readonly<Partial<Record<ArtifactType, Source>>>;
  /** A text for titles, descriptions and notes instead of a document. */
  readonly text?: Source;
  /** Its links and buttons are pressed, as a misled reader would. */
  readonly pressed: boolean;
  /**
   * `page`: pressed, it may open a page elsewhere that carries nothing, for that is what links are for.
   * `refusal`: publishing it may be refused.
   */
  readonly allows: readonly Allowance[];
  /** Why the control cannot show that it bites; it does not count then. By type, or for all. */
  readonly unproven?: string | Readonly<Partial<Record<ArtifactType, string>>>;
  /** What the control loads beside it: the libraries that a careless reader of such documents would use. */
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

/** HTML for all three: raw in markdown, in a page, and put into the tree by a component. */
export const markup = (source: Source, options: Options = {}): Made => ({
  ...options,
  sources: { md: raw(source), html: page(source), jsx: insertedBy(source) },
});

/** HTML for a page and raw in markdown: what does nothing once a script inserts it. */
export const parsedMarkup = (source: Source, options: Options = {}): Made => ({
  ...options,
  sources: { md: raw(source), html: page(source) },
});

/** JavaScript for all three: the body of an async function. */
export const script = (source: Source, options: Options = {}): Made => {
  const wrapped: Source = (target) => `(async () => { ${source(target)} })().catch((error) => console.info(error));`;
  const element: Source = (target) => `<script>${wrapped(target)}</script>`;
  return { ...options, sources: { md: raw(element), html: page(element), jsx: effect(wrapped) } };
};

/** A whole html document, which markdown gets as it is. */
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

/** A block of html, which a parser of markdown hands on as it is. */
const raw =
  (source: Source): Source =>
  (target) =>
    `# Payload\n\n<div>${source(target)}\n</div>\n\nThe end of it.\n`;

/** Parsed by React where that does everything, else by the parser that also runs scripts. */
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
