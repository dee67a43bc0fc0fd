// The version on npm of a release that a CDN with its own names for libraries has under another number. Pure.

/**
 * cdnjs has three.js as `r128`, npm as `0.128.0`. The releases of jQuery 1.9, 1.10 and 2.0 are on npm without files for
 * browsers, or not at all: the next minor version stands for them, which is compatible.
 */
export function npmVersion(name: string, version: string): string {
  if (name === "three") return version.replace(/^r(\d+)$/, "0.$1.0");
  if (name === "jquery" && /^1\.(?:9|10)\.\d+$/.test(version)) return "1.11.0";
  return name === "jquery" && /^2\.0\.\d+$/.test(version) ? "2.1.0" : version;
}
