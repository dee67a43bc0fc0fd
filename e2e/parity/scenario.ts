// One scenario of an account: publishing, conflicts, access, links, deletion. It lists operations; the surfaces do
// them.
import type { Input, OperationName } from "@plinth/contract/registry";

import { emailOf } from "./participants.ts";
import type { Actor } from "./surface.ts";

export interface Step {
  /** Names the step if surfaces differ. */
  readonly what: string;
  readonly by: Actor;
  readonly operation: OperationName;
  readonly input: (known: Known) => Readonly<Record<string, unknown>>;
  /** The name under which the answer is kept. */
  readonly keep?: string;
  /** The code of the refusal, if it is one. */
  readonly refused?: string;
}

/** Members of answers that were kept. */
export type Known = (kept: string, member: "artifactId" | "shareLinkId") => string;

/** A month is one of the durations that the web app offers. */
const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

function step<Name extends OperationName>(
  what: string,
  by: Actor,
  operation: Name,
  input: Input<Name> | ((known: Known) => Input<Name>),
  more: Pick<Step, "keep" | "refused"> = {},
): Step {
  const given = typeof input === "function" ? input : () => input;
  return { what, by, operation, input: (known) => Object.fromEntries(Object.entries(given(known))), ...more };
}

const report = (known: Known) => ({ artifactId: known("report", "artifactId") });
const draft = (known: Known) => ({ artifactId: known("draft", "artifactId") });
const open = { publicView: true, publicEdit: false };
const secret = { publicView: false, publicEdit: false };
const [bob, carol, dora] = [emailOf("bob"), emailOf("carol"), emailOf("dora")];
const viewer: Actor = { link: "viewer" };
const editor: Actor = { link: "editor" };
const notFound = { refused: "not_found" };
const forbidden = { refused: "forbidden" };

const publishing: readonly Step[] = [
  step("create a project", "ada", "project.create", {
    slug: "notes",
    title: "Field notes",
    description: "What was seen",
    icon: "📝",
  }),
  step(
    "publish markdown",
    "ada",
    "artifact.create",
    {
      projectSlug: "notes",
      slug: "report",
      type: "md",
      title: "Week 47",
      description: "The first week",
      content: "# Week 47\n\nHerons, two\n",
      changelog: "First",
      access: open,
    },
    { keep: "report" },
  ),
  step(
    "publish at an address that is taken",
    "ada",
    "artifact.create",
    { projectSlug: "notes", slug: "report", type: "md", title: "Again", content: "", access: open },
    { refused: "slug_conflict" },
  ),
  step(
    "publish jsx that does not compile",
    "ada",
    "artifact.create",
    {
      projectSlug: "notes",
      slug: "broken",
      type: "jsx",
      title: "Broken",
      content: "export default () => <div",
      access: open,
    },
    { refused: "invalid_source" },
  ),
  step("publish on top of the first version", "ada", "version.create", (known) => ({
    ...report(known),
    content: "# Week 47\n\nHerons, three\n",
    changelog: "Counted again",
    expectedLatestVersion: 1,
  })),
  step(
    "publish on top of a version that is no longer the latest",
    "ada",
    "version.create",
    (known) => ({ ...report(known), content: "Lost?", expectedLatestVersion: 1 }),
    { refused: "version_conflict" },
  ),
  step("restore the first version", "ada", "version.restore", (known) => ({ ...report(known), versionNumber: 1 })),
  step("change the title", "ada", "artifact.patch", (known) => ({ ...report(known), title: "Week 47, counted" })),
  step("name the first version", "ada", "version.patch", (known) => ({
    ...report(known),
    versionNumber: 1,
    name: "As it was sent",
  })),
  step(
    "a stranger publishes",
    "carol",
    "version.create",
    (known) => ({ ...report(known), content: "Mine" }),
    forbidden,
  ),
];

/** One change of the access object at a time, as a page makes them. */
const access: readonly Step[] = [
  step("make it private", "ada", "access.update", (known) => ({ ...report(known), ...secret, viewerEmails: [] })),
  step("Bob does not read it", "bob", "artifact.get", report, notFound),
  step("let Bob in", "ada", "access.update", (known) => ({ ...report(known), ...secret, viewerEmails: [bob] })),
  step("Bob reads it", "bob", "artifact.get", report),
  step("Carol does not", "carol", "artifact.get", report, notFound),
  step("Bob asks who may see it", "bob", "access.get", report, forbidden),
  step("Ada asks who may see it", "ada", "access.get", report),
  step("explain Bob", "ada", "access.explain", (known) => ({ ...report(known), email: bob })),
  step("explain Carol", "ada", "access.explain", (known) => ({ ...report(known), email: carol })),
  step("let Dora in, who has no account", "ada", "access.update", (known) => ({
    ...report(known),
    ...secret,
    viewerEmails: [bob, dora],
  })),
  step("make it public with edit", "ada", "access.update", (known) => ({
    ...report(known),
    publicView: true,
    publicEdit: true,
    viewerEmails: [bob, dora],
  })),
  step("explain Carol again", "ada", "access.explain", (known) => ({ ...report(known), email: carol })),
  step("Carol publishes now", "carol", "version.create", (known) => ({
    ...report(known),
    content: "# Week 47\n\nHerons, four\n",
    changelog: "I saw one more",
  })),
  step("let only those on the list see it again", "ada", "access.update", (known) => ({
    ...report(known),
    ...secret,
    viewerEmails: [bob, dora],
  })),
  step("take Bob off the list", "ada", "access.update", (known) => ({
    ...report(known),
    ...secret,
    viewerEmails: [dora],
  })),
  step("Bob no longer reads it", "bob", "artifact.get", report, notFound),
];

const links: readonly Step[] = [
  step(
    "make a viewer link",
    "ada",
    "shareLink.create",
    (known) => ({ ...report(known), role: "viewer", label: "Readers" }),
    { keep: "viewer" },
  ),
  step(
    "make an editor link that ends",
    "ada",
    "shareLink.create",
    (known) => ({ ...report(known), role: "editor", label: "The other desk", expiresAt: inDays(30) }),
    { keep: "editor" },
  ),
  step("say what the viewer link opens", viewer, "shareLink.resolve", {}),
  step("read it by the viewer link", viewer, "artifact.get", report),
  step("read the content by the viewer link", viewer, "version.content", report),
  step(
    "publish by the viewer link",
    viewer,
    "version.create",
    (known) => ({ ...report(known), content: "No" }),
    forbidden,
  ),
  step("publish by the editor link", editor, "version.create", (known) => ({
    ...report(known),
    content: "# Week 47\n\nHerons, five\n",
    changelog: "From the other desk",
    expectedLatestVersion: 4,
  })),
  step("read the content by the editor link", editor, "version.content", report),
  step("ask for the links by the editor link", editor, "shareLink.list", report, { refused: "forbidden" }),
  step("revoke the viewer link", "ada", "shareLink.revoke", (known) => ({
    shareLinkId: known("viewer", "shareLinkId"),
  })),
  step("the viewer link opens nothing", viewer, "artifact.get", report, notFound),
];

const deletion: readonly Step[] = [
  step(
    "publish another",
    "ada",
    "artifact.create",
    {
      projectSlug: "notes",
      slug: "draft",
      type: "html",
      title: "Draft",
      content: "<h1>Otters</h1>\n",
      access: { ...secret, viewerEmails: [bob] },
    },
    { keep: "draft" },
  ),
  step(
    "make a link of it",
    "ada",
    "shareLink.create",
    (known) => ({ ...draft(known), role: "viewer", label: "Before it is gone" }),
    { keep: "gone" },
  ),
  step("its link opens it", { link: "gone" }, "artifact.get", draft),
  step("delete it", "ada", "artifact.delete", draft),
  step("it is gone", "ada", "artifact.get", draft, notFound),
  step("its link opens nothing", { link: "gone" }, "artifact.get", draft, notFound),
  step("look among the deleted", "ada", "artifact.listMine", { deleted: true }),
  step("undelete it", "ada", "artifact.undelete", draft),
  step("its link opens it again", { link: "gone" }, "artifact.get", draft),
  step("read the content by its link", { link: "gone" }, "version.content", draft),
];

const reading: readonly Step[] = [
  step("list the versions", "ada", "version.list", report),
  step("list its packages", "ada", "version.packages", (known) => ({ ...report(known), versionNumber: 1 })),
  step("compare two", "ada", "version.diff", (known) => ({ ...report(known), from: 1, to: 5 })),
  step("read the first", "ada", "version.content", (known) => ({ ...report(known), version: 1 })),
  step("list one's artifacts", "ada", "artifact.listMine", { limit: 10 }),
  step("get the project by its path", "ada", "project.getByPath", { owner: "ada", projectSlug: "notes" }),
  step("list its documents", "ada", "project.documents", { owner: "ada", projectSlug: "notes" }),
  step("get it by its path", "ada", "artifact.getByPath", { owner: "ada", projectSlug: "notes", slug: "report" }),
];

export const scenario: readonly Step[] = [...publishing, ...access, ...links, ...deletion, ...reading];
