// What flags say where the schema's words are for readers of the API, by the field they become. A command's own words
// (refinements.ts) win over these.
import type { Flag } from "./flags.ts";

type Words = Pick<Flag, "description"> & Partial<Pick<Flag, "valueHint">>;

export const flagWords: Readonly<Record<string, Words>> = {
  owner: { description: "Account it is published under: a username or a workspace's slug", valueHint: "name" },
  ownerUsername: { description: "Account to publish under (the token's own)", valueHint: "name" },
  projectSlug: { description: "Project, by the slug in its address", valueHint: "slug" },
  slug: { description: "Slug: lower-case letters and digits, single hyphens between", valueHint: "slug" },
  username: { description: "Username: lower-case letters and digits, single hyphens between", valueHint: "name" },
  type: { description: "What the source is" },
  title: { description: "Title, at most 200 characters" },
  description: { description: "A sentence or two on what it is" },
  changelog: { description: "Note for this version" },
  access: { description: "Who may see and edit it: {publicView, publicEdit, viewerEmails?}" },
  visibility: { description: "Only those that anyone, or not everyone, may see" },
  cursor: { description: "Where to go on: nextCursor of the page before" },
  publicEdit: { description: "Anyone signed in may publish versions; needs --public-view" },
  email: { description: "Email address", valueHint: "address" },
  expectedLatestVersion: { description: "Publish only if this is still the latest version" },
  version: { description: "Which version (the latest)" },
  versionNumber: { description: "Which version" },
  size: { description: "How wide, in pixels (1200)" },
  from: { description: "The older version" },
  to: { description: "The newer version" },
  icon: { description: "An emoji, or up to 8 characters" },
  name: { description: "Name to show" },
  role: { description: "What they may do" },
  plan: { description: "What the account's holder may use" },
  emailVerified: { description: "The address is known to be theirs (yes)" },
};
