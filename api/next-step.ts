// Adds a hint to a 404 from the operation alone, so that hidden, missing and malformed identifiers have the same answer
// (docs/reference/security.md §3).
import { AppError } from "@plinth/contract/errors";
import { isOnArtifact, pathFields, type Operation } from "@plinth/contract/operation";
import { describedOperations } from "@plinth/contract/openapi";
import { editDistance } from "@plinth/contract/suggestion";

/** `not_found` with a hint, where it has none: the same for each operation, independent of the rest of the request. */
export function withNextStep(op: Operation, error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== "not_found" || error.extra.hint !== undefined) return error;
  const hint = nextStepOf(op);
  return hint === null ? error : new AppError(error.code, error.message, { ...error.extra, hint });
}

const findArtifacts = "GET /api/artifacts?q= finds what your credential can see";

function nextStepOf(op: Operation): string | null {
  const { resource } = op;
  if (resource === null || op.caller === "operator") return null;
  if (resource.load === "project" && resource.by !== "id")
    return "Create the project first, with POST /api/projects, or check its owner and projectSlug: GET /api/profile/projects lists yours";
  if (resource.load === "project")
    return "A projectId is prj_…: GET /api/by-path/:owner/:projectSlug has it, and GET /api/profile/projects lists yours";
  if (resource.load === "workspace")
    return "A workspaceId is wsp_…, and the workspace's slug is accepted too: GET /api/workspaces lists yours";
  if (!isOnArtifact(resource)) return null;
  if (resource.by === "shareLink")
    return "A shareLinkId is shr_…: GET /api/artifacts/:artifactId/share-links lists them";
  if (!pathFields(op).includes("artifactId")) return `Check owner, project and slug; ${findArtifacts}`;
  const hint = `An artifactId is art_…, or owner/project/slug with %2F for its slashes; ${findArtifacts}`;
  const { properties } = op.input;
  if ("projectSlug" in properties) return `${hint}; GET /api/profile/projects lists your projects`;
  if (!("version" in properties) && !("versionNumber" in properties)) return hint;
  return `${hint}; GET /api/artifacts/:artifactId/versions lists the versions of one`;
}

/** Without those of the operator, which do not exist for other callers. */
const known = describedOperations.filter(({ caller }) => caller !== "operator");

const description = "GET /api/openapi.json describes every route";

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** The refusal of a path below `/api` that is no route: with the methods of the path, or the route nearest to it. */
export function unknownRoute(method: string, pathname: string): AppError {
  const at = known.filter((op) => distance(op, segmentsOf(pathname)) === 0);
  const [nearest] = known
    .map((op) => ({ op, far: distance(op, segmentsOf(pathname)) + (op.method === method ? 0 : 0.25) }))
    .filter(({ far }) => far <= farthest)
    .toSorted((one, other) => one.far - other.far);
  const hint =
    at.length > 0
      ? `This path takes ${methods.filter((one) => at.some((op) => op.method === one)).join(", ")}. ${description}`
      : nearest === undefined
        ? description
        : `Did you mean ${nearest.op.method} ${nearest.op.path}? ${description}`;
  return new AppError("not_found", "There is no such route", { hint });
}

/** The slips of the finger, in all segments, of a path that still resembles a route. */
const farthest = 3;

const segmentsOf = (path: string): string[] => path.split("/").filter((segment) => segment !== "");

/** How far a path is from an operation's: slips of the finger in its words; Infinity where it is of another form. */
function distance({ path }: Operation, given: readonly string[]): number {
  const segments = segmentsOf(path);
  if (segments.length !== given.length) return Infinity;
  let far = 0;
  for (const [at, segment] of segments.entries()) {
    if (!segment.startsWith(":")) far += editDistance(segment, (given[at] ?? "").toLowerCase());
    if (far > farthest) return Infinity;
  }
  return far;
}
