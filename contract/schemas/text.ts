// The kinds of text, number and time in inputs and resources (docs/reference/contract.md §2).
import Type from "typebox";

import { idPattern, type IdPrefix } from "../ids.ts";
import * as limits from "../limits.ts";
import { Text } from "./shape.ts";

const id = (prefix: IdPrefix, description: string) =>
  Type.String({ pattern: idPattern(prefix), description, examples: [`${prefix}_${"0".repeat(26)}`] });

export const ArtifactId = id("art", "Identifier of an artifact");
export const ProjectId = id("prj", "Identifier of a project");
export const WorkspaceId = id("wsp", "Identifier of a workspace");
export const UserId = id("usr", "Identifier of a user");
export const ApiKeyId = id("key", "Identifier of an API key");
export const AgentId = id("agt", "Identifier of an agent, a login or a connected client");
export const ShareLinkId = id("shr", "Identifier of a share link");
export const EventId = id("evt", "Identifier of an audit event");
export const InvitationId = id("inv", "Identifier of an invitation");
export const SessionId = id("ses", "Identifier of a browser session");
export const UploadId = id("upl", "Identifier of a one-time upload");

/** A secret that is shown once. A malformed one opens nothing. */
export const SecretText = Text(512, "As it was handed out");

export const Slug = Type.String({
  pattern: limits.slugPattern,
  minLength: 1,
  maxLength: limits.slugLength,
  description: "Lower-case letters and digits, words joined by single hyphens",
});
export const Username = Type.String({
  pattern: limits.slugPattern,
  minLength: limits.usernameLength.min,
  maxLength: limits.usernameLength.max,
  description: "Lower-case letters and digits, words joined by single hyphens",
});
/** A name in a path: any text, because a malformed name is simply not found. */
export const PathName = Type.String({ description: "A name as it stands in the address" });
export const Title = Type.String({ minLength: 1, maxLength: limits.titleLength, pattern: "\\S" });
export const Note = Type.String({ maxLength: limits.noteLength });
export const Icon = Type.String({ minLength: 1, maxLength: limits.iconLength });
export const Name = Type.String({ minLength: 1, maxLength: limits.nameLength, pattern: "\\S" });
/** On one line: no control character, and at least one that is no space. */
const controls = "\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029";
export const VersionName = Type.String({
  minLength: 1,
  maxLength: limits.nameLength,
  pattern: `^[^${controls}]*[^\\s${controls}][^${controls}]*$`,
  description: 'On one line, such as "Sent to the client"',
});
export const Email = Type.String({
  minLength: 3,
  maxLength: limits.emailLength,
  pattern: "^[!-?A-~]+@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$",
  description: "An email address, ASCII only",
});
export const Content = Type.String({
  description: "Source text: well-formed Unicode without NUL",
});
export const VersionNumber = Type.Integer({ minimum: 1, maximum: limits.versionNumberMax });
export const Count = Type.Integer({ minimum: 0 });
export const Time = Type.String({
  pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$",
  description: "ISO 8601, UTC, milliseconds",
});
export const Url = Type.String({ description: "An absolute address" });
export const Sha256Hex = Type.String({ pattern: "^[0-9a-f]{64}$", description: "SHA-256, hex" });
export const Sha256 = Type.String({ pattern: "^[0-9a-f]{64}$", description: "SHA-256 of the source in UTF-8, hex" });

/** A time from a caller: a date, or ISO 8601 with its offset. The schema does not check whether the date exists. */
export const GivenTime = Text(40, "A date, or ISO 8601 with an offset");

/** Query fields of every list. */
export const page = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: limits.pageLimit.max,
      default: limits.pageLimit.default,
      description: "How many to return at most",
    }),
  ),
  cursor: Type.Optional(Text(512, "nextCursor of the page before, opaque")),
};
