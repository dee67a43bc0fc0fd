// The routes from which people, scripts and npm get the command line of this instance (docs/reference/contract.md §4).
import type { Instance } from "@plinth/domain/context";
import { notFound } from "@plinth/domain/access/refusals";
import { addressKey, requireAllowance } from "@plinth/domain/rate-limit";
import type { Elysia } from "elysia";
import { join } from "node:path";

import { guide } from "../docs.ts";
import type { MetaOf } from "../request-meta.ts";
import { fresh } from "../respond.ts";
import { installScript } from "./install-script.ts";

// The command line as this instance hands it out: the npm package, and the executables of the same version where
// `bun run release:cli` has built them. Each file is known by the SHA-256 that its build wrote.
interface ClientPlaces {
  /** The folder with `cli.tgz`, which every start builds. */
  readonly package: string;
  /** The folder with the executables, their `SHA256SUMS` and `VERSION`; it need not be there. */
  readonly executables: string;
}

interface ClientFile {
  readonly path: string;
  /** In hex. */
  readonly sha256: string;
}

export interface ClientFiles {
  /** The checksums of all files, as `sha256sum` writes them; null where nothing was built. */
  sums(): Promise<string | null>;
  /** The file of this name; null where there is none. */
  find(name: string): Promise<ClientFile | null>;
}

/** The name of the package in its folder and below the instance's address. */
const packageFile = "cli.tgz";

const downloadable = /^plinth-[a-z0-9-]+(?:\.exe)?\.gz$/;

/** Reads the lists of checksums again for each request, because a build can replace the files of a running instance. */
export function openClientFiles(places: ClientPlaces, version: string): ClientFiles {
  async function executableSums(): Promise<string> {
    const built = await textOf(join(places.executables, "VERSION"));
    return built.trim() === version ? textOf(join(places.executables, "SHA256SUMS")) : "";
  }
  return {
    async sums() {
      const text = (await textOf(join(places.package, "SHA256SUMS"))) + (await executableSums());
      return text === "" ? null : text;
    },
    async find(name) {
      if (name === packageFile)
        return listed(await textOf(join(places.package, "SHA256SUMS")), join(places.package, name), name);
      if (!downloadable.test(name)) return null;
      return listed(await executableSums(), join(places.executables, name), name);
    },
  };
}

function listed(sums: string, path: string, name: string): ClientFile | null {
  const line = sums.split("\n").find((each) => each.endsWith(`  ${name}`));
  return line === undefined ? null : { path, sha256: line.slice(0, 64) };
}

/** The text of a file; empty where there is none. */
async function textOf(path: string): Promise<string> {
  const file = Bun.file(path);
  return (await file.exists()) ? file.text() : "";
}

/** Adds the routes. A process without built clients answers not_found for their files. */
export function addClient(app: Elysia, instance: Instance, files: ClientFiles | null, metaOf: MetaOf): void {
  const script = installScript(instance.config.publicUrl);
  /** Counts a download among the reads of its IP address. @throws rate_limited */
  async function count(request: Request): Promise<void> {
    const allowance = await instance.limiter.take("reads", addressKey(metaOf(request).address));
    if (allowance !== null) requireAllowance(allowance);
  }
  async function download(request: Request, name: string): Promise<Response> {
    await count(request);
    const file = await files?.find(name);
    if (file === undefined || file === null) throw notFound();
    return fileResponse(request, name, file);
  }
  app
    .get("/install.sh", async ({ request }) => {
      await count(request);
      return guide(script, "text/plain");
    })
    .get("/_cli/SHA256SUMS", async ({ request }) => {
      await count(request);
      const sums = await files?.sums();
      if (sums === undefined || sums === null) throw notFound();
      return guide(sums, "text/plain");
    })
    .get("/_cli/:file", ({ request, params }) => download(request, params.file))
    .get("/cli.tgz", ({ request }) => download(request, packageFile));
}

function fileResponse(request: Request, name: string, { path, sha256 }: ClientFile): Response {
  const headers = {
    etag: `"${sha256}"`,
    "cache-control": "no-cache",
    "x-content-type-options": "nosniff",
    "content-type": "application/gzip",
    "content-disposition": `attachment; filename="${name}"`,
  };
  return fresh(request, headers) ?? new Response(Bun.file(path), { headers });
}
