// Hidden equals missing, on the web: every page at a private artifact's URL answers strangers and anonymous visitors
// exactly as before the artifact existed, except for the request ID and the nonce.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";

import { send, type Answer, type Send } from "./harness/http.ts";
import type { Instance } from "./harness/instance.ts";
import { createArtifact, createPerson, createProject, fresh, signIn, type Person } from "./harness/people.ts";
import { hung } from "./harness/process.ts";
import { sharedInstance } from "./harness/shared.ts";

setDefaultTimeout(hung);

let instance: Instance;
let owner: Person;
let project: string;
/** An empty project that only its owner can see. */
let closed: string;
let sessions: Record<"anonymous" | "a stranger" | "an ended session", string | undefined>;

beforeAll(async () => {
  instance = await sharedInstance();
  owner = await createPerson(instance);
  project = (await createProject(owner)).slug;
  closed = (await createProject(owner)).slug;
  await createArtifact(owner, project);
  const stranger = await createPerson(instance);
  sessions = {
    anonymous: undefined,
    "a stranger": await signIn(instance, stranger.userId),
    "an ended session": "plinth_session=ended",
  };
});
afterAll(() => instance.stop());

/** Uncompressed, because each nonce and request ID compresses to another length. */
const page = { accept: "text/html", "accept-encoding": "identity" };
const form = (fields: Record<string, string>): Send => ({
  method: "POST",
  headers: { ...page, "content-type": "application/x-www-form-urlencoded" },
  body: new URLSearchParams(fields).toString(),
});

/** Requests to an artifact's URL, by description. */
const asked: Record<string, [path: string, request: Send]> = {
  "the page": ["", { headers: page }],
  "the page, HEAD": ["", { method: "HEAD", headers: page }],
  "a version": ["?v=1", { headers: page }],
  "a version that there can't be": ["?v=999", { headers: page }],
  "a version that is none": ["?v=x", { headers: page }],
  "the page without its bar": ["?chrome=0", { headers: page }],
  "the source": ["", { headers: { accept: "text/markdown" } }],
  "the source as text": ["?v=1", { headers: { accept: "text/plain" } }],
  "the source, HEAD": ["", { method: "HEAD", headers: { accept: "text/markdown" } }],
  "the page's data": ["/__data.json", {}],
  "a form to the page": ["", form({ title: "x" })],
  "the history": ["/history", { headers: page }],
  "the settings": ["/settings", { headers: page }],
  "the settings, HEAD": ["/settings", { method: "HEAD", headers: page }],
  "the settings' data": ["/settings/__data.json", {}],
  "the settings of access": ["/settings/access", { headers: page }],
  "the share links": ["/settings/links", { headers: page }],
  "the views": ["/settings/views", { headers: page }],
  "the activity": ["/settings/activity?kind=access.updated", { headers: page }],
  "a form: details": ["/settings?/details", form({ title: "x", description: "" })],
  "a form: address": ["/settings?/address", form({ slug: "x", projectSlug: "y" })],
  "a form: deleting": ["/settings?/delete", form({ confirm: "x" })],
  "a form: visibility": ["/settings/access?/visibility", form({ visibility: "public" })],
  "a form: a person more": ["/settings/access?/add", form({ emails: "x" })],
  "a form: a person less": ["/settings/access?/remove", form({ email: "x" })],
  "a form: explain": ["/settings/access?/explain", form({ email: "x" })],
  "a form: a link": ["/settings/links?/create", form({ role: "viewer", expiry: "30" })],
  "a form: no link": ["/settings/links?/revoke", form({ id: "x" })],
  "a form that there is not": ["/settings?/nothing", form({})],
  "the embed page": ["^/embed", { headers: page }],
  "the embed page, HEAD": ["^/embed", { method: "HEAD", headers: page }],
  "a version's embed page": ["^/embed?v=1", { headers: page }],
  "a form to the embed page": ["^/embed", form({ title: "x" })],
};

/** `^/embed` stands ahead of the artifact's path. */
const addressOf = (origin: string, artifact: string, path: string): string =>
  path.startsWith("^/embed") ? `${origin}/embed${artifact}${path.slice("^/embed".length)}` : origin + artifact + path;

/** An answer without its unique parts, the request ID and the nonce. */
function comparable({ status, headers, text }: Answer): object {
  const requestId = headers.get("x-request-id") ?? "no request id";
  const nonce = /'nonce-([^']+)'/.exec(headers.get("content-security-policy") ?? "")?.[1] ?? "no nonce";
  const same = (value: string) => value.replaceAll(requestId, "<request>").replaceAll(nonce, "<nonce>");
  const kept = [...headers].filter(([name]) => name !== "date").map(([name, value]) => `${name}: ${same(value)}`);
  return { status, headers: kept.toSorted(), text: same(text) };
}

describe.each(["anonymous", "a stranger", "an ended session"] as const)("%s", (who) => {
  test.each(["a project one may see", "a project nobody may see"])("in %s", async (where) => {
    const projectSlug = where === "a project one may see" ? project : closed;
    const slug = fresh("private");
    const artifact = `/${owner.username}/${projectSlug}/${slug}`;
    const token = sessions[who];
    const answers = async () => {
      const all: Record<string, object> = {};
      for (const [name, [path, request]] of Object.entries(asked)) {
        const headers = { ...request.headers, origin: instance.origin };
        const answer = await send(addressOf(instance.origin, artifact, path), {
          ...request,
          headers,
          ...(token ? { token } : {}),
        });
        // A page's data says 404 inside an answer of 200.
        const isData = path.endsWith("/__data.json");
        expect([name, answer.status >= 400 && answer.status < 500]).toEqual([name, !isData]);
        all[name] = comparable(answer);
      }
      return all;
    };
    const missing = await answers();
    const { artifactId } = await createArtifact(owner, projectSlug, {
      slug,
      title: "A title nobody may read",
      access: { publicView: false, publicEdit: false, viewerEmails: ["somebody@example.com"] },
    });
    await owner.client.call("version.create", { artifactId, content: "# Second\n" });
    expect(await answers()).toEqual(missing);
    // None of the requests changed anything.
    const { access, title, latestVersion } = await owner.client.call("artifact.get", { artifactId });
    expect([access.publicView, title, latestVersion]).toEqual([false, "A title nobody may read", 2]);
    expect((await owner.client.call("shareLink.list", { artifactId })).shareLinks).toEqual([]);
  });
});

test("a public artifact has settings only for its managers", async () => {
  const slug = fresh("public");
  const address = `${instance.origin}/${owner.username}/${project}/${slug}`;
  const settings = Object.entries(asked).filter(([, [path]]) => path.startsWith("/settings"));
  for (const token of Object.values(sessions)) {
    const answers = async () => {
      const all: Record<string, object> = {};
      for (const [name, [path, request]] of settings) {
        const headers = { ...request.headers, origin: instance.origin };
        all[name] = comparable(await send(address + path, { ...request, headers, ...(token ? { token } : {}) }));
      }
      return all;
    };
    const missing = await answers();
    const { artifactId } = await createArtifact(owner, project, {
      slug,
      access: { publicView: true, publicEdit: true },
    });
    expect(await answers()).toEqual(missing);
    await owner.client.call("artifact.delete", { artifactId });
  }
});
