import { expect, test } from "bun:test";
import { XMLParser, XMLValidator } from "fast-xml-parser";

import { projectFeed } from "./project-feed.ts";

const publicUrl = "https://plinth.test";
const project = {
  projectId: "prj_1",
  title: "Notes",
  description: null,
  ownerUsername: "ada",
  url: `${publicUrl}/ada/notes`,
  updatedAt: "2026-01-01T00:00:00.000Z",
};
const artifact = {
  artifactId: "art_1",
  title: "Report",
  description: "What happened",
  url: `${publicUrl}/ada/notes/report`,
  latestVersion: 3,
  latestAt: "2026-02-01T00:00:00.000Z",
  latestBy: { type: "user", id: "usr_1", label: "ada" },
  updatedAt: "2026-02-02T00:00:00.000Z",
} as const;

interface Read {
  readonly feed: { readonly entry?: Record<string, unknown>; readonly [name: string]: unknown };
}
function read(xml: string): Read["feed"] {
  expect(XMLValidator.validate(xml)).toBe(true);
  const parser = new XMLParser({
    ignoreAttributes: false,
    processEntities: true,
    trimValues: false,
    parseTagValue: false,
  });
  return (parser.parse(xml) as Read).feed;
}

test("a feed has what RFC 4287 requires, with absolute URLs and identifiers that survive a rename", () => {
  const feed = read(projectFeed(publicUrl, project, [artifact]));
  expect(feed).toMatchObject({
    "@_xmlns": "http://www.w3.org/2005/Atom",
    id: `${publicUrl}/api/projects/prj_1`,
    title: "Notes",
    updated: "2026-02-02T00:00:00.000Z",
    author: { name: "ada" },
    link: [
      { "@_rel": "self", "@_href": `${publicUrl}/ada/notes/feed.atom` },
      { "@_rel": "alternate", "@_href": `${publicUrl}/ada/notes` },
    ],
    entry: {
      id: `${publicUrl}/api/artifacts/art_1/versions/3`,
      title: "Report",
      summary: "What happened",
      published: "2026-02-01T00:00:00.000Z",
      updated: "2026-02-02T00:00:00.000Z",
      author: { name: "ada" },
      link: { "@_href": `${publicUrl}/ada/notes/report` },
    },
  });
  const renamed = { ...artifact, title: "Other", url: `${publicUrl}/bob/other/name` };
  expect(read(projectFeed(publicUrl, project, [renamed])).entry?.["id"]).toBe(feed.entry?.["id"]);
});

test("an empty project is a feed without entries", () => {
  const feed = read(projectFeed(publicUrl, project, []));
  expect([feed.entry, feed["updated"]]).toEqual([undefined, project.updatedAt]);
});

test("the author of an agent's version is the person it acts for", () => {
  const latestBy = {
    type: "agent",
    id: "agt_1",
    label: "Nightly",
    onBehalfOf: { userId: "usr_1", username: "maya" },
  } as const;
  expect(read(projectFeed(publicUrl, project, [{ ...artifact, latestBy }])).entry?.["author"]).toEqual({
    name: "maya",
  });
});

test.each([
  ["</title><script>alert(1)</script>"],
  [`"'&<>]]>&amp;&#0;`],
  ["<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]>&e;"],
  ["a\u0000b\u0008c\uFFFEd\uD800e"],
  ["\u202E\u{1F600} ünï"],
])("a title as hostile as %j is text", (title) => {
  const feed = read(projectFeed(publicUrl, { ...project, title, description: title }, [{ ...artifact, title }]));
  const shown = title.toWellFormed().replaceAll(/[\0\b\uFFFE]/g, "\uFFFD");
  expect([feed["title"], feed["subtitle"], feed.entry?.["title"]]).toEqual([shown, shown, shown]);
  const elements = Object.keys(feed.entry ?? {}).filter((name) => name !== "#text");
  expect(elements.toSorted()).toEqual(["author", "id", "link", "published", "summary", "title", "updated"]);
});
