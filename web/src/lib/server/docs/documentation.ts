// The documentation as the build leaves it (web/docs): every page rendered, and an index for the search.

interface DocsHeading {
  readonly id: string;
  readonly text: string;
  readonly level: number;
}

export interface DocsPage {
  /** `/docs` or a path below it. */
  readonly url: string;
  /** In the list beside each page. */
  readonly label: string;
  readonly title: string;
  readonly section: string;
  /** Its first words, for search engines. */
  readonly description: string;
  readonly headings: readonly DocsHeading[];
  readonly html: string;
  /** The page as text. */
  readonly markdown: string;
  /** Whether its examples name the instance. */
  readonly isOfInstance: boolean;
  /** Whether it is in the list and in the order of reading. */
  readonly isListed: boolean;
}

export interface Documentation {
  readonly pages: readonly DocsPage[];
  /** MiniSearch's, as JSON. */
  readonly index: string;
}
