// Filters of a list of artifacts, besides their owner.
import Type from "typebox";

import { ArtifactType } from "./artifact.ts";
import { GivenTime } from "./text.ts";
import { Text } from "./shape.ts";

export const artifactFilters = {
  type: Type.Optional(ArtifactType),
  author: Type.Optional(Text(100, "Username of its creator, by key and agent too")),
  since: Type.Optional(Type.String({ ...GivenTime, description: "Last updated then or later: a date or a time" })),
  until: Type.Optional(
    Type.String({ ...GivenTime, description: "Last updated before then: a date (to its end) or a time" }),
  ),
};

/** The slug of a project, of any owner where none is given. */
export const ofProject = Type.Optional(Text(100, "Slug of a project"));
