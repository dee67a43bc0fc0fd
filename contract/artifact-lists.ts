// Closed lists about artifacts. They are apart from the schemas, so that a page loads the lists without the schemas.

export const artifactTypes = ["md", "html", "jsx"] as const;
export type ArtifactType = (typeof artifactTypes)[number];

/** The order of an artifact list: creation time (the default), time of the last change, or title. */
export const artifactSorts = ["newest", "updated", "title"] as const;
export type ArtifactSort = (typeof artifactSorts)[number];
