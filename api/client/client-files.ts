// The command line as this instance hands it out: the npm package, and the executables of the same version where
// `bun run release:cli` has built them. Each file is known by the SHA-256 that its build wrote.
import { join } from "node:path";

export interface ClientPlaces {
  /** The folder with `cli.tgz`, which every start builds. */
  readonly package: string;
  /** The folder with the executables, their `SHA256SUMS` and `VERSION`; it need not be there. */
  readonly executables: string;
}

export interface ClientFile {
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
export const packageFile = "cli.tgz";

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
