// Rejects paths of a project that are unsafe to write below a local folder. The project can belong to another person,
// and its paths could lead out of the folder, into hidden files, or over each other.
import { formProblem, nameProblem } from "@plinth/contract/publishing/file-path";

/** Why nothing is written to a relative path; null where it can be written. */
export function unsafeReason(path: string, platform: NodeJS.Platform): string | null {
  const problem = formProblem(path) ?? (platform === "win32" ? nameProblem(path) : null);
  if (problem !== null) return `its path ${problem}`;
  const parts = path.split("/");
  if (parts.some((part) => part.startsWith("."))) return "it would be hidden";
  if (parts.some((part) => part.toLowerCase() === "node_modules")) return "it would be in node_modules";
  if (platform !== "win32") return null;
  return parts.some((part) => /[<>"|?*]/.test(part)) ? "Windows has no such names" : null;
}

/** The name that the file system compares. */
export const comparedPath = (path: string, platform: NodeJS.Platform): string =>
  platform === "linux" ? path : path.normalize("NFC").toLowerCase();
