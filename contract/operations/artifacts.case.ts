import type { CasesOf, Setting } from "../test/case.ts";
import {
  brokenJsx,
  byViewer,
  changed,
  hidden,
  newArtifact,
  onFreePlan,
  open,
  takenSourcePath,
  tooLong,
} from "../test/refusals.ts";
import {
  anyone,
  anyoneReads,
  anyoneWhoCreates,
  byPerson,
  creates,
  deletes,
  listOfOwnWorkspaces,
  listOfSeen,
  onArtifact,
  onEmbed,
  onFirstVersion,
  onHiddenProject,
  onPatch,
  onProject,
  reads,
  updates,
} from "../test/rules.ts";
import type * as operations from "./artifacts.ts";

const it = ({ artifact: { artifactId } }: Setting) => ({ artifactId });
const address = ({ owner, project, artifact }: Setting) => ({ owner, projectSlug: project.slug, slug: artifact.slug });
const list = () => ({ limit: 100 });
const newOne = ({ unique, project }: Setting) => ({
  projectSlug: project.slug,
  slug: unique("artifact"),
  type: "md" as const,
  title: "A title",
  content: "# Text\n",
  access: open,
});

const whereCreated = {
  invalid_source: changed({ type: "jsx", content: brokenJsx }),
  slug_conflict: changed(({ artifact: { slug } }) => ({ slug })),
  source_path_conflict: changed(takenSourcePath),
  content_too_large: changed((fixtures) => ({ content: tooLong(fixtures) })),
};

export const artifactCases: CasesOf<typeof operations> = {
  "artifact.create": {
    who: onProject("publish", creates),
    input: (setting) => ({ ownerUsername: setting.owner, ...newOne(setting) }),
    invalid: { type: "pdf", access: { publicView: 1, publicEdit: false } },
    refused: {
      ...whereCreated,
      forbidden: byViewer,
      plan_required: onFreePlan(({ username }, projectSlug) => ({
        ...{ ownerUsername: username, projectSlug },
        access: hidden,
      })),
    },
    events: "artifact.created",
  },
  "artifact.createInWorkspace": {
    who: onProject("publish", creates),
    input: (setting) => ({ workspaceId: setting.workspaceId, ...newOne(setting) }),
    refused: {
      ...whereCreated,
      forbidden: byViewer,
      plan_required: onFreePlan(({ workspaceId }, projectSlug) => ({ workspaceId, projectSlug, access: hidden })),
    },
    events: "artifact.created",
  },
  "artifact.list": {
    who: listOfSeen,
    input: list,
    invalid: { q: " ", limit: 0, visibility: "secret" },
    refused: {},
    events: null,
  },
  "artifact.listMine": { who: listOfOwnWorkspaces, input: list, refused: {}, events: null },
  "artifact.get": { who: onArtifact("read", anyoneReads), input: it, refused: {}, events: null },
  "artifact.getByPath": { who: onArtifact("read", anyoneReads), input: address, refused: {}, events: null },
  "artifact.put": {
    who: onProject("publish", { scopes: ["artifacts:create", "artifacts:update"] }),
    input: (setting) => ({
      ...address(setting),
      type: "md",
      title: setting.artifact.title,
      content: `# ${setting.unique("put")}\n`,
    }),
    refused: {
      forbidden: byViewer,
      invalid_source: changed(({ jsx }) => ({ slug: jsx.slug, type: "jsx", content: brokenJsx })),
      plan_required: onFreePlan(({ username }, projectSlug, { unique }) => ({
        ...{ owner: username, projectSlug },
        slug: unique("private"),
      })),
      slug_conflict: changed(({ jsx }) => ({ slug: jsx.slug })),
      source_path_conflict: changed(async (fixtures) => ({
        ...(await takenSourcePath(fixtures)),
        slug: fixtures.unique("put"),
      })),
      version_conflict: changed({ expectedLatestVersion: 999_999 }),
      content_too_large: changed((fixtures) => ({ content: tooLong(fixtures) })),
    },
    events: "artifact.updated",
  },
  "artifact.getBySourcePath": {
    who: onArtifact("read", anyoneReads),
    input: ({ owner, project, artifact }) => ({ owner, projectSlug: project.slug, path: `guide/${artifact.slug}.md` }),
    refused: {},
    events: null,
  },
  "artifact.patch": {
    who: onPatch,
    input: (setting, state) =>
      state?.endsWith(", address")
        ? { ...it(setting), slug: "elsewhere" }
        : { ...it(setting), title: "Another title", description: setting.unique("Described") },
    invalid: { title: "x".repeat(300) },
    refused: {
      forbidden: byViewer,
      slug_conflict: changed(({ artifact, jsx }) => ({ artifactId: jsx.artifactId, slug: artifact.slug })),
      source_path_conflict: changed(async (fixtures) => ({
        ...(await takenSourcePath(fixtures)),
        artifactId: fixtures.jsx.artifactId,
      })),
    },
    events: "artifact.updated",
  },
  "artifact.listViews": { who: onArtifact("access", reads), input: it, refused: { forbidden: byViewer }, events: null },
  "artifact.listFormerAddresses": {
    who: onArtifact("access", reads),
    input: it,
    refused: { forbidden: byViewer },
    events: null,
  },
  "artifact.releaseFormerAddress": {
    who: onArtifact("access", updates),
    uses: "artifact",
    input: async (setting) => ({ address: await setting.formerAddress("artifact"), ...it(setting) }),
    refused: { forbidden: byViewer },
    events: "artifact.updated",
  },
  "artifact.delete": {
    who: onArtifact("delete", deletes),
    uses: "artifact",
    input: it,
    refused: { forbidden: byViewer },
    events: "artifact.deleted",
  },
  "artifact.undelete": {
    who: onArtifact("undelete", deletes),
    uses: "artifact",
    before: ({ owner }, setting) => owner.client.call("artifact.delete", it(setting)),
    input: it,
    refused: {
      slug_conflict: changed(async (fixtures) => {
        const { owner, project } = fixtures;
        const { artifactId, slug } = await newArtifact(fixtures, owner, project.slug);
        await owner.client.call("artifact.delete", { artifactId });
        await newArtifact(fixtures, owner, project.slug, { slug });
        return { artifactId };
      }),
    },
    events: "artifact.undeleted",
  },
  "artifact.slugAvailability": {
    who: onHiddenProject("publish", anyoneWhoCreates),
    input: (setting) => ({ ...address(setting), slug: setting.unique("free") }),
    refused: {},
    events: null,
  },
  "artifact.urlPreview": {
    who: onHiddenProject("publish", anyoneWhoCreates),
    input: (setting) => ({ ...address(setting), slug: setting.unique("free") }),
    refused: {},
    events: null,
  },
  "artifact.ticket": {
    who: onFirstVersion("read", anyoneReads),
    input: (setting) => ({ ...it(setting), version: 1 }),
    refused: {},
    events: null,
  },
  "artifact.draftTicket": {
    who: onArtifact("update", updates),
    input: it,
    refused: { forbidden: byViewer },
    events: null,
  },
  "artifact.publicDraftTicket": { who: byPerson(anyone), input: () => ({}), refused: {}, events: null },
  "artifact.preview": {
    who: onFirstVersion("read", anyoneReads),
    // Of the latest version a screenshot is taken.
    input: (setting, state) => (state === undefined ? it(setting) : { ...it(setting), version: 1 }),
    invalid: { version: 0 },
    refused: {},
    events: null,
  },
  "artifact.thumbnail": {
    who: onArtifact("read", anyoneReads),
    input: (setting) => ({ ...it(setting), size: 600 }),
    refused: {},
    events: null,
  },
  "artifact.oembed": {
    who: onEmbed,
    input: ({ artifact: { url } }) => ({ url }),
    invalid: { maxwidth: 0 },
    refused: {
      not_found: changed(({ artifact: { url } }) => ({ url: new URL("/nobody/has/this", url).href })),
      not_implemented: changed({ format: "xml" }),
    },
    events: null,
  },
  "artifact.watch": { who: onArtifact("read", anyoneReads), input: it, refused: {}, events: null },
};
