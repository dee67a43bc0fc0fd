// The version, build and target of this client, for `--version`, `schema`, `status` and the user agent.
import { version } from "./package.json" with { type: "json" };

/** Set where the client is built (scripts/build-cli.ts). */
declare const PLINTH_BUILD: string | undefined;

export { version };

/** The commit it was built from, with `-dirty` where the files were not those of the commit; `source` unbuilt. */
export const build: string = typeof PLINTH_BUILD === "undefined" ? "source" : PLINTH_BUILD;

/** Set where a release is built (scripts/release-cli.ts). */
declare const PLINTH_TARGET: string | undefined;

/** The machine that an executable is for, as releases name it. */
export const target: string =
  typeof PLINTH_TARGET === "undefined"
    ? `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`
    : PLINTH_TARGET;

/** As servers are told (RFC 9110, 10.1.5). */
export const userAgent = `plinth/${version} (${build})`;

/**
 * What `--version` prints: the bare version, for scripts to compare; as JSON the build as well
 * (docs/decisions/command-line.md, "Executable and npm package").
 */
export const versionText = (format: "json" | "text"): string =>
  format === "json" ? JSON.stringify({ version, build }) : version;
