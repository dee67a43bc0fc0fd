// The job that takes the picture of an artifact's head.
import type { JobHost } from "../jobs/run.ts";

export async function takeThumbnail(_host: JobHost, _artifactId: string): Promise<void> {
  throw new Error("not built");
}

/** Asks for the pictures that are missing, or were taken by another painter. */
export async function askForThumbnails(_host: JobHost): Promise<void> {
  throw new Error("not built");
}
