// Artifacts as a made-up instance answers them.
import type { Artifact } from "@plinth/contract/schemas/artifact";

const id = (prefix: string): string => `${prefix}_01jd8w3c5t7k9m2n4p6q8r0s1v`;
const time = "2026-11-01T09:00:00.000Z";

/** With everything that an artifact has. */
export const wholeArtifact = {
  artifactId: id("art"),
  ownerUsername: "ada",
  workspaceId: id("wsp"),
  projectId: id("prj"),
  projectSlug: "demo",
  slug: "a",
  type: "md",
  title: "A",
  description: null,
  latestVersion: 1,
  sourcePath: null,
  access: { publicView: true, publicEdit: false },
  url: "http://h.test/ada/demo/a",
  contentUrl: "http://h.test/c",
  thumbnailUrl: "http://h.test/t",
  createdAt: time,
  updatedAt: time,
  createdBy: { type: "user", id: id("usr"), label: "ada" },
  latestBy: { type: "user", id: id("usr"), label: "ada" },
  latestAt: time,
  permissions: { edit: true, share: true, manageAccess: true, delete: true },
} satisfies Artifact;

/** The first version of ada/demo/<slug>, as far as publishing reads it, with anything else it is to have. */
export const artifactAt = <Rest extends object>(slug: string, rest: Rest = {} as Rest) => ({
  artifactId: `art_${slug}`,
  slug,
  type: "md",
  title: slug.replaceAll("-", " ").replace(/^./, (letter) => letter.toUpperCase()),
  description: null,
  latestVersion: 1,
  access: { publicView: true, publicEdit: false },
  url: `http://localhost:3000/ada/demo/${slug}`,
  ...rest,
});
