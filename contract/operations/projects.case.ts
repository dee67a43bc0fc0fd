import type { CasesOf, Refusal, Setting } from "../test/case.ts";
import { byViewer, changed, hidden, newArtifact, newProject, onFreePlan } from "../test/refusals.ts";
import {
  anyoneReads,
  anyoneWhoCreates,
  creates,
  deletes,
  listOfOwnProjects,
  onHiddenWorkspace,
  onMove,
  onProject,
  onWorkspaceOrOwn,
  reads,
  updates,
  writesAccess,
} from "../test/rules.ts";
import type * as operations from "./projects.ts";

const it = ({ project: { projectId } }: Setting) => ({ projectId });
const address = ({ owner, project }: Setting) => ({ owner, projectSlug: project.slug });
const viewersOwn: Refusal = ({ viewer, owner }) => ({ by: viewer, changes: { ownerUsername: owner.username } });

export const projectCases: CasesOf<typeof operations> = {
  "project.create": {
    who: onWorkspaceOrOwn("create projects", creates),
    input: ({ unique, owner }, state) => ({
      ...(state === undefined || state === "own" ? {} : { ownerUsername: owner }),
      slug: unique("project"),
      title: "A project",
      icon: "P",
    }),
    invalid: { slug: "No Slug", icon: "" },
    refused: { forbidden: viewersOwn, slug_conflict: changed(({ project: { slug } }) => ({ slug })) },
    events: "project.created",
  },
  "project.listMine": {
    who: listOfOwnProjects,
    input: () => ({ limit: 100 }),
    invalid: { limit: 101 },
    refused: {},
    events: null,
  },
  "project.getByPath": { who: onProject("see", anyoneReads), input: address, refused: {}, events: null },
  "project.documents": { who: onProject("see", anyoneReads), input: address, refused: {}, events: null },
  "project.update": {
    who: onProject("edit", updates),
    input: (setting) => ({ ...it(setting), title: setting.unique("Title") }),
    invalid: { slug: "No Slug" },
    refused: {
      forbidden: byViewer,
      slug_conflict: changed(async (fixtures) => ({ slug: (await newProject(fixtures, fixtures.owner)).slug })),
    },
    events: "project.updated",
  },
  "project.updateAccess": {
    who: onProject("edit", writesAccess),
    // Beside the access matrix, where each state is a project by itself, others use the artifacts of the project too.
    input: (setting, state) => ({
      ...it(setting),
      ...(state === undefined && { artifactIds: [setting.artifact.artifactId] }),
      publicView: true,
      publicEdit: false,
      viewerEmails: [`${setting.unique("reader")}@example.com`],
    }),
    invalid: { publicView: false, publicEdit: true },
    refused: {
      forbidden: byViewer,
      plan_required: onFreePlan(async (account, projectSlug, fixtures) => ({
        projectId: `${account.username}/${projectSlug}`,
        artifactIds: [(await newArtifact(fixtures, account, projectSlug)).artifactId],
        publicView: false,
      })),
    },
    events: "access.updated",
  },
  "project.move": {
    who: onMove,
    uses: "project",
    input: async (setting, state) => ({
      ...it(setting),
      ownerUsername: state?.includes(", to ") === false ? setting.owner : await setting.otherWorkspace(),
    }),
    refused: {
      forbidden: ({ viewer, project }) => ({
        by: viewer,
        changes: { projectId: project.projectId, ownerUsername: viewer.username },
      }),
      plan_required: async (fixtures) => {
        const { owner, operator } = fixtures;
        const { projectId, slug } = await newProject(fixtures, owner);
        await newArtifact(fixtures, owner, slug, { access: hidden });
        const { workspaceId, username } = await fixtures.account("free");
        await operator.client.call("operator.setMember", { workspaceId, userId: owner.userId, role: "member" });
        return { by: owner, changes: { projectId, ownerUsername: username } };
      },
      slug_conflict: changed(async (fixtures) => ({
        projectId: (await newProject(fixtures, fixtures.owner)).projectId,
        ownerUsername: fixtures.owner.username,
        slug: fixtures.project.slug,
      })),
    },
    // One in the workspace that it left, and one where it is now.
    events: ["project.updated", "project.updated"],
  },
  "project.listFormerAddresses": {
    who: onProject("edit", reads),
    input: it,
    refused: { forbidden: byViewer },
    events: null,
  },
  "project.releaseFormerAddress": {
    who: onProject("edit", updates),
    uses: "project",
    input: async (setting) => ({ address: await setting.formerAddress("project"), ...it(setting) }),
    refused: { forbidden: byViewer },
    events: "project.updated",
  },
  "project.delete": {
    who: onProject("delete", deletes),
    uses: "project",
    input: it,
    refused: {
      forbidden: byViewer,
      project_not_empty: changed(({ project: { projectId } }) => ({ projectId })),
    },
    events: "project.deleted",
  },
  "project.slugAvailability": {
    who: onHiddenWorkspace("create projects", anyoneWhoCreates),
    input: ({ owner, unique }) => ({ owner, slug: unique("free") }),
    refused: {},
    events: null,
  },
};
