// Where kept images are served. The key is an HMAC over the artifact and the bytes: it never changes its bytes, and who
// has an image cannot find out whether a private document shows it.
import { createHmac } from "node:crypto";

export const imagesPath = "/_images/";

/** Hex. `sha256` is of the bytes, hex. */
export const imageKey = (secret: string, artifactId: string, sha256: string): string =>
  createHmac("sha256", secret).update(`remote-image\0${artifactId}\0${sha256}`).digest("hex");

export const imageAddress = (key: string): string => imagesPath + key;
