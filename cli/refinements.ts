// What single commands have beside what their operation says: a text form of their own, mostly.
import type { Refinement } from "./operation-command.ts";
import { diffText } from "./output/diff.ts";

export const refinements: Readonly<Record<string, Refinement>> = {
  health: { leaveOut: ["live"] },
  "profile set-username": { needs: ["username"] },
  "artifact diff": {
    accept: ({ settings }) => (settings.format === "text" && settings.field === null ? "text/x-diff" : null),
    bytesText: diffText,
  },
};
