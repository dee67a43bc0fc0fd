// Which paths of a project can be written below a folder of this machine. A project is other people's: its paths could
// lead out of the folder, into hidden files, or over each other.
import { pathProblem } from "@plinth/contract/publishing/file-path";

/** What Windows takes for a device, with any extension. */
const devices = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$)(?:\.|$)/i;

/** Why nothing is written to a relative path; null where it can be written. */
export function unsafeReason(path: string, platform: NodeJS.Platform): string | null {
  const problem = pathProblem(path);
  if (problem !== null) return `its path ${problem}`;
  const parts = path.split("/");
  if (parts.some((part) => part.startsWith("."))) return "it would be hidden";
  if (parts.some((part) => part.toLowerCase() === "node_modules")) return "it would be in node_modules";
  if (platform !== "win32") return null;
  if (parts.some((part) => devices.test(part))) return "its name is one of a device";
  return parts.some((part) => /[<>:"|?*]|[. ]$/.test(part)) ? "Windows has no such names" : null;
}

/** The name that the file system compares. */
export const comparedPath = (path: string, platform: NodeJS.Platform): string =>
  platform === "linux" ? path : path.normalize("NFC").toLowerCase();
