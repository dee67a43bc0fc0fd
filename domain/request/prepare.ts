// The stage before an operation's transaction: compilers, edits and look-ups that would hold its connection for as long as
// they take. A dry run and a request with an Idempotency-Key run in one, and the others get the same from here.
import type { ResourceRow } from "../access/resource.ts";
import type { Context } from "../context.ts";
import { stagesOf } from "../handlers.ts";
import type { SourceText } from "../storage/source-text.ts";
import type { OperationRequest } from "./operation-request.ts";
import type { Run } from "./outcome.ts";

/** The handler with what its operation prepares. What fails there is thrown by the handler: a replay is answered before. */
export async function prepare(
  context: Context,
  { op, sent: { input } }: OperationRequest,
  resource: ResourceRow,
  text: SourceText | null,
): Promise<Run> {
  const stages = stagesOf(op.name);
  if (stages.prepare === undefined) return (inside) => stages.handle(inside, input, resource);
  const preparing = stages.prepare(context, input, resource, text);
  await Promise.allSettled([preparing]);
  return async (inside) => stages.handle(inside, input, resource, await preparing);
}
