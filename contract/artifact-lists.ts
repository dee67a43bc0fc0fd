// Closed lists about artifacts. They are apart from the schemas, so that a page loads the lists without the schemas.

export const artifactTypes = ["md", "html", "jsx"] as const;
export type ArtifactType = (typeof artifactTypes)[number];

/**
 * The order of an artifact list: best match (the default of a search), creation time, time of the last change (the
 * default of a list), or title.
 */
export const artifactSorts = ["best", "newest", "updated", "title"] as const;
export type ArtifactSort = (typeof artifactSorts)[number];
