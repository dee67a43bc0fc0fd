// Operations on projects (docs/reference/contract.md §4).
import Type from "typebox";

import { accessAtOnce } from "../limits.ts";
import { operation } from "../operation.ts";
import { Access } from "../schemas/artifact.ts";
import { ProjectAtAddress } from "../schemas/at-address.ts";
import { Availability, FormerAddresses, Project, ProjectDocuments } from "../schemas/project.ts";
import { Body, Flag, List, Nothing, Nullable } from "../schemas/shape.ts";
import {
  ArtifactId,
  Count,
  Icon,
  Note,
  page,
  PathName,
  ProjectId,
  Slug,
  Title,
  Url,
  Username,
} from "../schemas/text.ts";

export const createProject = operation({
  name: "project.create",
  summary: "Create a project",
  method: "POST",
  path: "/api/projects",
  scope: "artifacts:create",
  resource: { load: "workspace", permission: "createProject", by: "owner" },
  input: Body({
    ownerUsername: Type.Optional(Username),
    slug: Slug,
    title: Title,
    description: Type.Optional(Note),
    icon: Icon,
  }),
  output: Project,
  errors: ["forbidden", "slug_conflict"],
  mcp: { tool: "create_project" },
  cli: {
    command: "project create",
    examples: [
      "plinth project create --slug demo --title Demo --icon 📦",
      `plinth project create --json '{"slug":"demo","title":"Demo","icon":"📦"}'`,
    ],
  },
});

export const listMyProjects = operation({
  name: "project.listMine",
  summary: "List the projects of the workspaces you belong to",
  method: "GET",
  path: "/api/profile/projects",
  scope: "artifacts:read",
  resource: null,
  input: Body(page),
  output: List("projects", Project),
  etag: true,
  mcp: { tool: "list_projects" },
  cli: { command: "project list" },
});

export const getProjectByPath = operation({
  name: "project.getByPath",
  summary: "Get the project at an address",
  method: "GET",
  path: "/api/by-path/:owner/:projectSlug",
  caller: "anyone",
  scope: "artifacts:read",
  resource: { load: "project", permission: "see", by: "path" },
  input: Body({
    owner: PathName,
    projectSlug: PathName,
    withDocuments: Flag("With its documents in reading order"),
  }),
  output: ProjectAtAddress,
  etag: true,
  cli: { command: "path project" },
});

export const listDocuments = operation({
  name: "project.documents",
  summary: "List the documents of a project that were published from a folder, in reading order",
  description: "Those with a source path that you can see: the README or index page of each folder comes first.",
  method: "GET",
  path: "/api/by-source-path/:owner/:projectSlug",
  caller: "anyone",
  scope: "artifacts:read",
  resource: { load: "project", permission: "see", by: "path" },
  input: Body({ owner: PathName, projectSlug: PathName }),
  output: ProjectDocuments,
  etag: true,
  cli: { command: "project documents" },
});

export const updateProject = operation({
  name: "project.update",
  summary: "Change a project's title, description, icon or slug",
  method: "PATCH",
  path: "/api/projects/:projectId",
  scope: "artifacts:update",
  resource: { load: "project", permission: "edit", by: "id" },
  input: Body({
    projectId: ProjectId,
    slug: Type.Optional(Slug),
    title: Type.Optional(Title),
    description: Type.Optional(Nullable(Note)),
    icon: Type.Optional(Icon),
  }),
  output: Project,
  errors: ["forbidden", "slug_conflict"],
  mcp: { tool: "update_project" },
  cli: {
    command: "project update",
    examples: ["plinth project update ada/notes --title 'Field notes' --description none"],
  },
});

export const updateProjectAccess = operation({
  name: "project.updateAccess",
  summary: "Set who may see and edit all artifacts of a project, or some of them",
  description: `The parts that are left out stay as they are in each. Of more than ${accessAtOnce} artifacts, name some. A dry run says what would change.`,
  method: "PATCH",
  path: "/api/projects/:projectId/access",
  scope: "artifacts:access:write",
  resource: { load: "project", permission: "edit", by: "id" },
  input: Body({
    projectId: ProjectId,
    publicView: Type.Optional(Access.properties.publicView),
    publicEdit: Type.Optional(Access.properties.publicEdit),
    viewerEmails: Type.Optional(Access.properties.viewerEmails),
    artifactIds: Type.Optional(
      Type.Array(ArtifactId, { minItems: 1, maxItems: 100, description: "Only these artifacts of it" }),
    ),
  }),
  output: Type.Object({
    changed: Count,
    unchanged: Count,
    withShareLinks: Type.Integer({ minimum: 0, description: "Of those that changed" }),
    changes: Type.Array(Type.Object({ artifactId: ArtifactId, url: Url, shareLinks: Count }), {
      description: "The first 100, with their working share links",
    }),
    dryRun: Type.Optional(Type.Literal(true)),
  }),
  errors: ["forbidden", "plan_required"],
  dryRun: true,
  cli: {
    command: "project access set",
    examples: [
      "plinth project access set ada/notes --no-public-view --check",
      "plinth project access set ada/notes --viewer-emails bo@example.com",
    ],
  },
});

export const moveProject = operation({
  name: "project.move",
  summary: "Move a project to another workspace",
  description:
    "With all its artifacts, their versions, links, thumbnails and history. Members of the old workspace lose the access of " +
    "their role, and members of the new one gain it. Old addresses redirect to the new ones. It requires an admin of the old workspace who can create projects in the new one.",
  method: "POST",
  path: "/api/projects/:projectId/move",
  scope: "artifacts:update",
  alsoScopes: ["artifacts:create"],
  resource: { load: "project", permission: "move", by: "id" },
  effect: "update",
  input: Body({
    projectId: ProjectId,
    ownerUsername: Type.String({ ...Username, description: "The target workspace" }),
    slug: Type.Optional(Type.String({ ...Slug, description: "Its new slug, if it changes" })),
  }),
  output: Project,
  errors: ["forbidden", "plan_required", "slug_conflict"],
  dryRun: true,
  mcp: { tool: "move_project" },
  cli: {
    command: "project move",
    examples: ["plinth project move ada/notes --owner our-team"],
  },
});

export const listFormerAddresses = operation({
  name: "project.listFormerAddresses",
  summary: "List the former addresses of a project",
  description: "They lead to it, and those of its artifacts to them.",
  method: "GET",
  path: "/api/projects/:projectId/former-addresses",
  scope: "artifacts:read",
  resource: { load: "project", permission: "edit", by: "id" },
  input: Body({ projectId: ProjectId }),
  output: FormerAddresses,
  etag: true,
  errors: ["forbidden"],
  cli: { command: "project former-addresses" },
});

export const releaseFormerAddress = operation({
  name: "project.releaseFormerAddress",
  summary: "Release a former address of a project",
  description:
    "It leads nowhere any more, nor do those of its artifacts below it, and another project can take it. In a URL its " +
    "slash is written `%2F`.",
  method: "DELETE",
  path: "/api/projects/:projectId/former-addresses/:address",
  scope: "artifacts:update",
  resource: { load: "project", permission: "edit", by: "id" },
  effect: "update",
  input: Body({ projectId: ProjectId, address: PathName }),
  output: Nothing,
  errors: ["forbidden"],
  dryRun: true,
  cli: {
    command: "project release-address",
    examples: ["plinth project release-address ada/notes --address ada/drafts"],
  },
});

export const deleteProject = operation({
  name: "project.delete",
  summary: "Delete an empty project",
  method: "DELETE",
  path: "/api/projects/:projectId",
  scope: "artifacts:delete",
  resource: { load: "project", permission: "delete", by: "id" },
  input: Body({ projectId: ProjectId }),
  output: Nothing,
  errors: ["forbidden", "project_not_empty"],
  mcp: { tool: "delete_project" },
  cli: { command: "project delete", examples: ["plinth project delete ada/drafts --yes"] },
});

export const projectSlugAvailability = operation({
  name: "project.slugAvailability",
  summary: "Check whether a project's slug is free",
  method: "GET",
  path: "/api/projects/slug-availability/:owner/:slug",
  caller: "anyone",
  scope: "artifacts:create",
  resource: { load: "workspace", permission: "createProject", by: "owner", hidden: true },
  input: Body({ owner: PathName, slug: PathName }),
  output: Availability,
  cli: { command: "project slug-availability" },
});
