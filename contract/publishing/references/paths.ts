// Paths with `/`, absolute or relative, as a folder and a browser's list of files both have them. A relative path that
// leaves its root begins with `..`; the root itself is the empty path. Pure.

/** A path from a folder, without `.` and with `..` resolved as far as the folder goes. A slash at the end stays. */
export function joined(folder: string, path: string): string {
  const isAbsolute = folder.startsWith("/");
  const parts: string[] = [];
  for (const part of `${folder}/${path}`.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else if (!isAbsolute) parts.push(part);
  }
  const whole = `${isAbsolute ? "/" : ""}${parts.join("/")}`;
  return path.endsWith("/") && parts.length > 0 ? `${whole}/` : whole;
}

/** The folder of a path; the root for a path that is a name alone. */
export function folderOf(path: string): string {
  const slash = path.replace(/\/$/, "").lastIndexOf("/");
  return path.slice(0, slash === 0 ? 1 : Math.max(0, slash));
}

/** Whether a path is the folder or in it. */
export function isWithin(path: string, folder: string): boolean {
  if (folder === "") return !/^(?:\/|\.\.(?:\/|$))/.test(path);
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}

/** The deepest folder that all paths are in, from this folder upwards. */
export function commonFolder(folder: string, paths: readonly string[]): string {
  let common = folder;
  for (const path of paths) while (!isWithin(path, common) && common !== folderOf(common)) common = folderOf(common);
  return common;
}

/** The path as it is written in the folder, with `..` where it is outside of it. */
export function pathFrom(folder: string, path: string): string {
  const [from, to] = [folder, path].map((one) => one.split("/").filter((part) => part !== ""));
  let shared = 0;
  while (shared < (from?.length ?? 0) && from?.[shared] === to?.[shared]) shared++;
  return [...(from ?? []).slice(shared).map(() => ".."), ...(to ?? []).slice(shared)].join("/");
}
