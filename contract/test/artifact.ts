// An artifact as an instance shows it, with every field: the fixture of the tests of the command line and of the web app.
import type { Artifact } from "../schemas/artifact.ts";

const id = (prefix: string): string => `${prefix}_01jd8w3c5t7k9m2n4p6q8r0s1v`;
const time = "2026-11-01T09:00:00.000Z";

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
