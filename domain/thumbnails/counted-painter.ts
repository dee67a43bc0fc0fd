// A painter whose pictures are counted.
import { emit, type FinishedPicture } from "../telemetry.ts";
import { PaintFailure, type Painter } from "./painter.ts";

export function counted(painter: Painter): Painter {
  return {
    version: painter.version,
    runtime: painter.runtime,
    async paint(document) {
      const startedAt = performance.now();
      const done = (outcome: FinishedPicture["outcome"]) =>
        emit("picture", { outcome, ms: performance.now() - startedAt });
      try {
        const painting = await painter.paint(document);
        done("taken");
        return painting;
      } catch (error) {
        done(error instanceof PaintFailure ? error.reason : "failed");
        throw error;
      }
    },
  };
}
