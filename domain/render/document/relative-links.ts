// A rendering is stored by its content alone, wherever that is published: relative addresses in it begin with a mark,
// and become the project's when the document is served.

/** NUL: neither a source nor what a parser makes of one can hold it, so no author can write it. */
export const PROJECT_MARK = "\0";

/** The rendering for a document of that project; `projectUrl` is absolute and ends in a slash. */
export const inProject = (html: string, projectUrl: string): string =>
  html.includes(PROJECT_MARK) ? html.replaceAll(PROJECT_MARK, projectUrl) : html;
