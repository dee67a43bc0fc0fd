// Filters of a list of artifacts, besides their owner.
import Type from "typebox";

import { ArtifactType } from "./artifact.ts";
import { GivenTime } from "./text.ts";

export const artifactFilters = {
  type: Type.Optional(ArtifactType),
  author: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: "Username of the person who created it, or whose key or agent did",
    }),
  ),
  since: Type.Optional(
    Type.String({ ...GivenTime, description: "Last updated then or later; ISO 8601 with an offset" }),
  ),
  until: Type.Optional(Type.String({ ...GivenTime, description: "Last updated before then; ISO 8601 with an offset" })),
};

/** The slug of a project, of any owner where none is given. */
export const ofProject = Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: "Slug of a project" }));
