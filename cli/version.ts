// The client's own version, as `--version` and the user agent say it.
import about from "./package.json" with { type: "json" };

export const version: string = about.version;
