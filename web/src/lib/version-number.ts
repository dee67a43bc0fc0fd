// The `?v=` of an artifact's address.

/**
 * The version an address asks for: the head where it names none.
 * Undefined for anything but a strict decimal between 1 and the head.
 */
export function versionAsked(search: URLSearchParams, latestVersion: number): number | undefined {
  const given = search.get("v");
  if (given === null) return latestVersion;
  if (!isVersionNumber(given)) return undefined;
  const version = Number(given);
  return version <= latestVersion ? version : undefined;
}

/** Whether a text is a number as a version has it. */
export const isVersionNumber = (given: string): boolean => /^[1-9]\d{0,8}$/.test(given);
