// `/install.sh`, which installs the command line of this instance. The script is install.sh with the instance's address
// in it.
import { readFileSync } from "node:fs";

const script = readFileSync(new URL("install.sh", import.meta.url), "utf8");

/** Writes the script. The address stands in single quotes. @throws Error where it could end them */
export function installScript(publicUrl: string): string {
  if (!/^https?:\/\/[\w.:[\]-]+$/.test(publicUrl)) throw new Error(`${publicUrl} cannot stand in a script`);
  return script.replaceAll("PUBLIC_URL", publicUrl);
}
