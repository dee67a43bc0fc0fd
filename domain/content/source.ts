// Makes a source ready to be published; jsx must compile.
import { AppError } from "@plinth/contract/errors";
import type { ArtifactType } from "@plinth/contract/schemas/artifact";

import { principalKey } from "../access/principal.ts";
import { requireStill } from "../access/still.ts";
import type { Context } from "../context.ts";
import { compileJsx, JsxError } from "../render/jsx/jsx.ts";
import { rendererVersion } from "../render/version.ts";
import { inTurn } from "../threads/fair.ts";
import { pack, packRendering, type Packed } from "./pack.ts";

/** A source ready to be written, with what a renderer made of it already. */
export interface PreparedSource extends Packed {
  readonly rendering: { readonly renderer: string; readonly data: Uint8Array } | null;
}

/**
 * Expects a text whose size has been checked. Compilers are waited for, so access is decided again afterwards.
 * @throws invalid_source, and what requireStill does
 */
export async function prepare(context: Context, type: ArtifactType, text: string): Promise<PreparedSource> {
  const rendering = type === "jsx" ? await compiledInTurn(context, text) : null;
  return { ...(await pack(text)), rendering };
}

async function compiledInTurn(context: Context, text: string): Promise<PreparedSource["rendering"]> {
  const rendering = await inTurn(principalKey(context.principal), () => compiled(text));
  await requireStill(context);
  return rendering;
}

async function compiled(text: string): Promise<PreparedSource["rendering"]> {
  try {
    return { renderer: rendererVersion.jsx, data: await packRendering(JSON.stringify(await compileJsx(text))) };
  } catch (error) {
    if (!(error instanceof JsxError)) throw error;
    const errors = error.problems.map(({ line, column, message }) => ({ path: "content", message, line, column }));
    throw new AppError("invalid_source", errors[0]?.message ?? "The jsx does not compile", { errors });
  }
}
