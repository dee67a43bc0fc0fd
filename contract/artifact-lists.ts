// The closed lists about artifacts, without the schemas that are made of them: what a page carries to the browser.

export const artifactTypes = ["md", "html", "jsx"] as const;
export type ArtifactType = (typeof artifactTypes)[number];

/** How a list of artifacts is ordered: by when they were made (the default), when they last changed, or by title. */
export const artifactSorts = ["newest", "updated", "title"] as const;
export type ArtifactSort = (typeof artifactSorts)[number];
