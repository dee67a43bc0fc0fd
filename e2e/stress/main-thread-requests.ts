// Requests about a large text, by REST, MCP, pages and documents' own addresses.
import type { Output } from "@plinth/contract/registry";

import { send, type Answer } from "../harness/http.ts";
import { fresh, type Person } from "../harness/people.ts";
import { everyLetterEdits, missingEdits } from "./large-edits.ts";
import type { LargeText } from "./main-thread-texts.ts";

export interface Asker {
  readonly origin: string;
  readonly author: Person;
  readonly projectSlug: string;
  readonly session: string;
}

export interface Published {
  readonly text: LargeText;
  readonly content: string;
  readonly artifact: Output<"artifact.create">;
}

type Ask = (asker: Asker, published: Published) => Promise<Answer>;

const api =
  (path: string, headers: Record<string, string> = {}): Ask =>
  ({ origin, author }, { artifact }) =>
    send(`${origin}/api/artifacts/${artifact.artifactId}${path}`, { token: author.token, headers });

const post =
  (path: string, bodyOf: (published: Published, asker: Asker) => unknown, method = "POST"): Ask =>
  (asker, published) =>
    send(`${asker.origin}${path.replace(":id", published.artifact.artifactId)}`, {
      method,
      token: asker.author.token,
      body: bodyOf(published, asker),
    });

const page =
  (path: string): Ask =>
  ({ origin, session }, { artifact }) =>
    send(origin + new URL(artifact.url).pathname + path, { token: session, headers: { accept: "text/html" } });

const tool =
  (name: string, args: (published: Published, asker: Asker) => object): Ask =>
  (asker, published) =>
    send(`${asker.origin}/mcp`, {
      method: "POST",
      token: asker.author.token,
      headers: { accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-06-18" },
      body: {
        jsonrpc: "2.0",
        id: fresh("call"),
        method: "tools/call",
        params: { name, arguments: args(published, asker) },
      },
    });

/** As many edits as a text of 16 MiB can have. */
const editsAtMost = 16;

export const requests: Readonly<Record<string, Ask>> = {
  "version.create": post("/api/artifacts/:id/versions", ({ content }) => ({ content })),
  "version.create, dry run": post("/api/artifacts/:id/versions?dryRun=true", ({ content }) => ({ content })),
  "artifact.put, unchanged": ({ origin, author, projectSlug }, { artifact, content, text }) =>
    send(`${origin}/api/by-path/${author.username}/${projectSlug}/${artifact.slug}`, {
      method: "PUT",
      token: author.token,
      body: { type: text.type, title: artifact.title, content },
    }),
  "version.edit, too many": post("/api/artifacts/:id/edits", () => ({ edits: missingEdits(100) })),
  "version.edit, nothing found": post("/api/artifacts/:id/edits", () => ({ edits: missingEdits(editsAtMost) })),
  "version.edit, found often": post("/api/artifacts/:id/edits", ({ content: [first = "a"] }) => ({
    edits: [{ oldText: first, newText: "" }],
  })),
  "version.edit, every letter": post("/api/artifacts/:id/edits?dryRun=true", ({ content }) => ({
    edits: everyLetterEdits(editsAtMost, content[0]),
  })),
  "version.content": api("/content"),
  "version.content, range": api("/content", { range: "bytes=100-2000000" }),
  "version.content, grep": api("/content?grep=a"),
  "version.content, grep nothing": api("/content?grep=zzzz"),
  "version.content, outline": api("/content?outline=true"),
  "version.content, section": api("/content?section=nope"),
  "version.content, lines": api("/content?startLine=100&endLine=2000000"),
  "version.diff": api("/diff?from=1&to=2"),
  "version.diff, unified": api("/diff?from=1&to=2", { accept: "text/x-diff" }),
  "version.archive": api("/archive"),
  "version.restore": post("/api/artifacts/:id/versions/1/restore", () => ({})),
  "version.list": api("/versions"),
  "artifact.get": api(""),
  "artifact.preview": api("/preview"),
  "artifact.thumbnail": api("/thumbnail"),
  "artifact.list": ({ origin, author }) => send(`${origin}/api/artifacts?q=aaaa`, { token: author.token }),
  "mcp get_artifact_content": tool("get_artifact_content", ({ artifact }) => ({ artifactId: artifact.artifactId })),
  "mcp get_artifact_content, grep": tool("get_artifact_content", ({ artifact }) => ({
    artifactId: artifact.artifactId,
    grep: "a",
  })),
  "mcp diff_artifact_versions": tool("diff_artifact_versions", ({ artifact }) => ({
    artifactId: artifact.artifactId,
    from: 1,
    to: 2,
  })),
  "mcp update_artifact": tool("update_artifact", ({ artifact, content }) => ({
    artifactId: artifact.artifactId,
    content,
  })),
  "the page": page(""),
  "the page's source": page("?view=source"),
  "the editor": page("/edit"),
  "the history": page("/history"),
  "a comparison": page("/history?from=1&to=2"),
  "the text by its address": ({ origin, author }, { artifact }) =>
    send(origin + new URL(artifact.url).pathname, { token: author.token, headers: { accept: "text/markdown" } }),
  "the document": ({ origin }, { artifact }) => send(`${origin}/_content/p/${artifact.artifactId}/1`),
  "the document's source": ({ origin }, { artifact }) => send(`${origin}/_content/p/${artifact.artifactId}/1/source`),
};
