// What single commands have beside what their operation says: a text form of their own, mostly.
import type { Refinement } from "./operation-command.ts";
import { diffText } from "./output/diff.ts";

export const refinements: Readonly<Record<string, Refinement>> = {
  health: { leaveOut: ["live"] },
  "profile set-username": { needs: ["username"] },
  "invitation accept": {
    flags: {
      token: {
        description: "The address of the invitation, or the token in it",
        valueHint: "address",
        // The token is the fragment, which no server and no log sees.
        read: (text) => text.slice(text.indexOf("#") + 1),
      },
    },
  },
  "artifact diff": {
    accept: ({ settings }) => (settings.format === "text" && settings.field === null ? "text/x-diff" : null),
    bytesText: diffText,
  },
};
