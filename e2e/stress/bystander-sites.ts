// The other sites of the stress test `bystander`: a registry that has every package, each large and late, and a site whose
// images are. The instance fetches from them in the background.
import { join } from "node:path";

import { publicLoopback } from "@plinth/support/loopback-is-public";
import { archiveOf, digests } from "@plinth/support/package-registry";

import { repository } from "../harness/process.ts";

export interface Sites {
  /** The instance's settings. */
  readonly env: Readonly<Record<string, string>>;
  readonly imagesOrigin: string;
  stop(): Promise<void>;
}

/** Milliseconds before each answer. */
const lateMs = 200;
const scriptBytes = 2 * 1024 * 1024;
const imageBytes = 4 * 1024 * 1024;
const pngSignature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

export function startSites(): Sites {
  const tarball = archiveOf([
    { path: "package/package.json", body: '{ "main": "index.js", "module": "index.js" }' },
    { path: "package/index.js", body: largeScript() },
  ]);
  const { integrity } = digests(tarball);
  const registry = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch({ url }) {
      await Bun.sleep(lateMs);
      const { pathname, origin } = new URL(url);
      if (pathname.endsWith(".tgz")) return new Response(Uint8Array.from(tarball));
      const [name = "", version = "1.0.0"] = decodeURIComponent(pathname.slice(1)).split("/");
      const about = { name, version, dist: { integrity, tarball: `${origin}/${name}.tgz` } };
      const isVersion = pathname.slice(1).includes("/");
      return Response.json(
        isVersion ? about : { name, "dist-tags": { latest: version }, versions: { [version]: about } },
      );
    },
  });
  const image = new Uint8Array(imageBytes);
  image.set(pngSignature);
  const images = Bun.serve({
    hostname: publicLoopback,
    port: 0,
    async fetch() {
      await Bun.sleep(lateMs);
      return new Response(image, { headers: { "content-type": "image/png" } });
    },
  });
  return {
    env: {
      PACKAGE_REGISTRY: registry.url.origin,
      REMOTE_IMAGES: "on",
      BUN_OPTIONS: `--preload ${join(repository, "e2e/support/loopback-is-public.ts")}`,
    },
    imagesOrigin: images.url.origin,
    async stop() {
      await Promise.all([registry.stop(true), images.stop(true)]);
    },
  };
}

/** A module that bundlers have to read whole. */
function largeScript(): string {
  const lines: string[] = [];
  for (let n = 0, size = 0; size < scriptBytes; n++) {
    const line = `export function f${n}(a, b) { return a * ${n} + b.map((x) => x + ${n}).length; }\n`;
    lines.push(line);
    size += line.length;
  }
  return lines.join("");
}
