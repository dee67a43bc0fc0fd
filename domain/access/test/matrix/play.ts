// Runs one cell of the matrix: one principal calls one operation in one state. The change is undone afterwards.
import { AppError } from "@plinth/contract/errors";
import { registry, type OperationName } from "@plinth/contract/registry";
import type { State } from "@plinth/contract/test/rules";

import type { Instance } from "../../../context.ts";
import { invoke } from "../../../request/invoke.ts";
import { answerOf } from "../../../request/outcome.ts";
import { tokenHash } from "../../../tokens/token.ts";
import type { Call } from "../../call.ts";
import type { Principal } from "./principals.ts";
import type { Scene } from "./scene.ts";
import { artifactStateIn } from "./settings.ts";
import { undone } from "./undone.ts";

export interface Cell {
  readonly name: OperationName;
  readonly state: State;
  readonly who: Principal;
  readonly input: object;
}

/** The outcome, in the words of the reference model. A fault of ours is an outcome that the model does not have. */
export async function play(scene: Scene, cell: Cell): Promise<string> {
  const { setup } = scene;
  // A read leaves nothing to undo.
  if (registry[cell.name].effect === "read") return outcomeOf(scene, setup.instance, cell);
  return undone(setup.instance, cell.name, (inside) => outcomeOf(scene, inside, cell));
}

/** How a principal calls, with what they bring where the operation is asked in that state. */
export function callOf(who: Principal, state: State): Call {
  const share = who.share?.(artifactStateIn(state) ?? "public");
  return {
    credential: typeof who.as === "string" ? bearer(who.as) : who.as,
    surface: "api",
    requestId: "req-matrix",
    address: "192.0.2.1",
    ...(share === undefined ? {} : { share }),
  };
}

async function outcomeOf(scene: Scene, instance: Instance, { name, state, who, input }: Cell): Promise<string> {
  try {
    const { value } = answerOf(await invoke(instance, callOf(who, state), name, { input: { ...input }, errors: [] }));
    return shown(scene, state, value);
  } catch (error) {
    if (error instanceof AppError) return `${error.status} ${error.code}`;
    return `fault: ${error instanceof Error ? error.message : String(error)}`;
  }
}

const bearer = (token: string): Call["credential"] => ({
  kind: token.startsWith("plo_") ? "operator" : "key",
  hash: tokenHash(token),
});

/** Of a list of artifacts or projects also whether the state's one is in it. */
function shown({ places }: Scene, state: State, value: unknown): string {
  const { artifacts, projects } = value as { readonly artifacts?: unknown; readonly projects?: unknown };
  const list = [artifacts, projects].find((collection) => Array.isArray(collection));
  if (list === undefined) return "success";
  const { artifactId, projectId } = places[artifactStateIn(state) ?? "public"];
  const isIt = (item: { readonly artifactId?: string; readonly projectId?: string }) =>
    artifacts === undefined ? item.projectId === projectId : item.artifactId === artifactId;
  return list.some(isIt) ? "success, shown" : "success, not shown";
}
