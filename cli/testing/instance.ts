// A small Plinth in memory, as far as push, pull and diff use one: artifacts of one project, versions, and files.
import { directoryOf, manifestText } from "@plinth/contract/publishing/file-path";
import { mediaTypeOf } from "@plinth/contract/publishing/file-types";

import { digestOf } from "../files/digest.ts";
import { artifactAt } from "./artifact.ts";
import { json, problem } from "./line.ts";

interface GivenFile {
  readonly path: string;
  readonly sha256: string;
}

interface Body {
  readonly slug: string;
  readonly type: string;
  readonly title: string;
  readonly content: string;
  readonly sourcePath?: string | null;
  readonly files?: readonly GivenFile[];
  readonly documentPath?: string;
  readonly sha256?: readonly string[];
}

interface Version {
  readonly content: string;
  readonly files: readonly GivenFile[];
  readonly base: string;
}

export type Stored = ReturnType<typeof artifactAt<{ sourcePath: string | null }>> & {
  readonly versions: Version[];
};

export interface Instance {
  readonly answer: (request: Request) => Promise<Response>;
  readonly artifacts: Map<string, Stored>;
  /** Uploaded bytes by hash. */
  readonly files: Map<string, Uint8Array>;
  /** The method and path of each request, identifiers as they are. */
  readonly log: string[];
}

export function createInstance(): Instance {
  const artifacts = new Map<string, Stored>();
  const files = new Map<string, Uint8Array>();
  const log: string[] = [];
  /** By idempotency key. */
  const replays = new Map<string, string>();
  let count = 0;

  const shown = ({ versions: _versions, ...artifact }: Stored) => artifact;
  const versionOf = (artifact: Stored, number: number) => {
    const version = artifact.versions[number - 1] as Version;
    const { content } = version;
    const sha256 = version.files.length === 0 ? null : digestOf(manifestText(version.base, version.files)).sha256;
    return {
      versionNumber: number,
      createdAt: "2026-11-20T00:00:00.000Z",
      ...digestOf(content),
      files: { count: version.files.length, sizeBytes: 0, sha256 },
    };
  };
  const isIncomplete = (given: readonly GivenFile[] = []) => given.some(({ sha256 }) => !files.has(sha256));

  function create(body: Body): Response {
    const same = (test: (one: Stored) => boolean) => [...artifacts.values()].find(test);
    const slug = same((one) => one.slug === body.slug);
    if (slug) return problem(409, "slug_conflict", { artifactId: slug.artifactId });
    const path = body.sourcePath ? same((one) => one.sourcePath === body.sourcePath) : undefined;
    if (path) return problem(409, "source_path_conflict");
    if (isIncomplete(body.files)) return problem(400, "invalid_request");
    const { title, type, sourcePath = null } = body;
    const artifact: Stored = {
      ...artifactAt(body.slug, { artifactId: `art_${++count}`, title, type, sourcePath }),
      versions: [],
    };
    artifacts.set(artifact.artifactId, artifact);
    artifact.versions.push(versionFrom(body, artifact));
    return json(shown(artifact), 201);
  }

  function versionFrom({ content, files: given, documentPath }: Body, { sourcePath, versions }: Stored): Version {
    const last = versions.at(-1);
    if (given === undefined && last) return { ...last, content };
    return { content, files: given ?? [], base: directoryOf(documentPath ?? sourcePath ?? "") };
  }

  async function route(method: string, path: string, request: Request, query: URLSearchParams): Promise<Response> {
    const body = async () => (await request.json()) as Body;
    if (path === "/api/profile/me") return json({ username: "ada" });
    if (path === "/api/by-path/ada/demo") return json({ slug: "demo" });
    if (path.startsWith("/api/by-source-path/ada/demo/")) {
      const source = decodeURIComponent(path.slice("/api/by-source-path/ada/demo/".length));
      const found = [...artifacts.values()].find(({ sourcePath }) => sourcePath === source);
      return found ? json(shown(found)) : problem(404, "not_found");
    }
    if (path === "/api/artifacts" && method === "GET")
      return json({ artifacts: [...artifacts.values()].map(shown).toReversed(), nextCursor: null });
    if (path === "/api/artifacts") return create(await body());
    if (path === "/api/files/missing") {
      const { sha256 = [] } = await body();
      return json({ missing: sha256.filter((hash) => !files.has(hash)) });
    }
    const [, , kind, id = "", part, ...rest] = path.split("/");
    if (kind === "files" && method === "PUT") {
      const bytes = new Uint8Array(await request.arrayBuffer());
      if (digestOf(bytes).sha256 !== id) return problem(400, "invalid_request");
      files.set(id, bytes);
      return json({ sha256: id, sizeBytes: bytes.length }, 201);
    }
    const artifact = artifacts.get(id);
    if (kind !== "artifacts" || artifact === undefined) return problem(404, "not_found");
    if (part === undefined && method === "PATCH") {
      Object.assign(artifact, await body());
      return json(shown(artifact));
    }
    if (part === undefined && method === "DELETE") {
      artifacts.delete(id);
      return new Response(null, { status: 204 });
    }
    if (part === undefined) return json(shown(artifact));
    if (part === "versions" && rest[1] === "files") {
      const number = Number(rest[0]);
      const { base, files: listed } = artifact.versions[number - 1] as Version;
      const all = listed.map((file) => ({ ...file, sizeBytes: 0, mediaType: mediaTypeOf(file.path) }));
      return json({ artifactId: id, versionNumber: number, base, files: all });
    }
    if (part === "versions" && method === "POST") {
      const given = await body();
      if (isIncomplete(given.files)) return problem(400, "invalid_request");
      artifact.versions.push(versionFrom(given, artifact));
      Object.assign(artifact, { latestVersion: artifact.versions.length });
      return json(versionOf(artifact, artifact.versions.length), 201);
    }
    if (part === "versions") {
      const numbers = artifact.versions.map((_version, place) => place + 1).toReversed();
      const page = numbers.slice(0, Number(query.get("limit")));
      return json({ versions: page.map((number) => versionOf(artifact, number)), nextCursor: null });
    }
    const version = artifact.versions[Number(query.get("version") ?? artifact.latestVersion) - 1] as Version;
    if (part === "content") return new Response(version.content, { headers: { "content-type": "text/markdown" } });
    const file = version.files.find((one) => one.path === decodeURIComponent(rest.join("/")));
    const bytes = files.get(file?.sha256 ?? "");
    return bytes === undefined ? problem(404, "not_found") : new Response(new Uint8Array(bytes));
  }

  return {
    artifacts,
    files,
    log,
    async answer(request) {
      const { pathname, searchParams } = new URL(request.url);
      log.push(`${request.method} ${pathname}`);
      const key = request.headers.get("idempotency-key");
      const replay = key === null ? undefined : replays.get(key);
      if (replay !== undefined)
        return new Response(replay, {
          status: 201,
          headers: { "content-type": "application/json", "idempotency-replayed": "true" },
        });
      const response = await route(request.method, pathname, request, searchParams);
      if (key !== null && response.ok) replays.set(key, await response.clone().text());
      return response;
    },
  };
}
