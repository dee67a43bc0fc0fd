// The order in which the documents of a folder are read: that of the tree of a project, and of "previous" and "next".

const names = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
const indexPage = /^(?:readme|index)\.[^.]+$/i;

/** Whether it is the first page of its folder. */
export const isIndexPage = (sourcePath: string): boolean =>
  indexPage.test(sourcePath.slice(sourcePath.lastIndexOf("/") + 1));

/**
 * Compares two source paths: the index page of a folder comes first, then documents and folders by name, numbers in them by
 * their value. A document comes before the folder of the same name.
 */
export function compareInReadingOrder(one: string, other: string): number {
  const [left, right] = [one.split("/"), other.split("/")];
  for (const [depth, part] of left.entries()) {
    const against = right[depth];
    if (against === undefined) return 1;
    if (part === against) continue;
    const [isFile, isOtherFile] = [depth === left.length - 1, depth === right.length - 1];
    const index = Number(isOtherFile && indexPage.test(against)) - Number(isFile && indexPage.test(part));
    if (index !== 0) return index;
    const byName = names.compare(isFile ? stem(part) : part, isOtherFile ? stem(against) : against);
    if (byName !== 0) return byName;
    if (isFile !== isOtherFile) return isFile ? -1 : 1;
    return part < against ? -1 : 1;
  }
  return left.length - right.length;
}

const stem = (name: string): string => name.replace(/\.[^.]+$/, "");
