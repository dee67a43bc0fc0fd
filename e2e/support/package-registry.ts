// A real registry for tests: verdaccio on loopback, without uplinks, with the packages that a test publishes.
import { mkdtemp, rm } from "node:fs/promises";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { Header } from "tar";
import { runServer } from "verdaccio";

export interface TestRegistry {
  readonly url: string;
  /** Publishes a version with these files, package.json added. */
  publish(
    name: string,
    version: string,
    files: Readonly<Record<string, string | Uint8Array>>,
    manifest?: object,
  ): Promise<void>;
  /** The paths asked for, in order. */
  readonly asked: string[];
  close(): Promise<void>;
}

export async function startRegistry(): Promise<TestRegistry> {
  const folder = await mkdtemp(join(tmpdir(), "plinth-registry-"));
  const server: Server = await runServer({
    self_path: join(folder, "config.yaml"),
    configPath: join(folder, "config.yaml"),
    storage: join(folder, "storage"),
    uplinks: {},
    packages: { "**": { access: "$all", publish: "$all", unpublish: "$all" } },
    max_body_size: "64mb",
    auth: {},
    web: { enable: false },
    log: { type: "stdout", level: "fatal" },
  });
  const asked: string[] = [];
  server.prependListener("request", ({ method, url }: { method?: string; url?: string }) => {
    if (method === "GET") asked.push(url ?? "");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  return {
    url,
    asked,
    async publish(name, version, files, manifest = {}) {
      const about = { name, version, ...manifest };
      const bytes = archive({ "package.json": JSON.stringify(about), ...files });
      await put(url, about, bytes);
    },
    async close() {
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true });
    },
  };
}

async function put(url: string, about: { name: string; version: string }, bytes: Uint8Array): Promise<void> {
  const { name, version } = about;
  const file = `${name}-${version}.tgz`;
  const dist = { ...digests(bytes), tarball: `${url}/${name}/-/${file}` };
  const response = await fetch(`${url}/${name.replace("/", "%2f")}`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      _id: name,
      name,
      "dist-tags": { latest: version },
      versions: { [version]: { ...about, _id: `${name}@${version}`, dist } },
      _attachments: {
        [file]: {
          content_type: "application/octet-stream",
          data: Buffer.from(bytes).toString("base64"),
          length: bytes.length,
        },
      },
    }),
  });
  if (!response.ok) throw new Error(`the registry refused ${name}: ${response.status} ${await response.text()}`);
}

export const digests = (bytes: Uint8Array) => ({
  integrity: `sha512-${new Bun.CryptoHasher("sha512").update(bytes).digest("base64")}`,
  shasum: new Bun.CryptoHasher("sha1").update(bytes).digest("hex"),
});

/** What an archive has at a path: a file, or a link or folder as its type says. */
export interface ArchiveEntry {
  readonly path: string;
  readonly body?: string | Uint8Array;
  readonly type?: "File" | "SymbolicLink" | "Link" | "Directory" | "CharacterDevice";
  readonly linkpath?: string;
}

/** A tarball in gzip of these entries, with any paths. */
export function archiveOf(entries: readonly ArchiveEntry[]): Uint8Array {
  const blocks: Uint8Array[] = [];
  for (const { path, body = "", type = "File", linkpath } of entries) {
    const bytes = Buffer.from(body);
    const block = Buffer.alloc(512);
    new Header({ path, type, mode: 0o644, size: bytes.length, ...(linkpath === undefined ? {} : { linkpath }) }).encode(
      block,
    );
    blocks.push(block, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512));
  }
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

const archive = (files: Readonly<Record<string, string | Uint8Array>>): Uint8Array =>
  archiveOf(Object.entries(files).map(([path, body]) => ({ path: `package/${path}`, body })));

/** A tarball with one file of so many zeros, made of compressed chunks. */
export function bombOf(size: number, chunk: Uint8Array): Uint8Array {
  const block = Buffer.alloc(512);
  new Header({ path: "package/bomb.js", type: "File", mode: 0o644, size }).encode(block);
  const member = gzipSync(chunk);
  return Buffer.concat([gzipSync(block), ...Array.from({ length: Math.ceil(size / chunk.length) }, () => member)]);
}
