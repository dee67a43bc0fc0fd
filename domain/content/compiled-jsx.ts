// A stored rendering of jsx.
import type { CompiledJsx } from "../render/jsx/compiler.ts";

/** Earlier compilers listed no packages: they refused them. */
export const compiledJsx = (rendering: string): CompiledJsx => ({
  packages: [],
  ...(JSON.parse(rendering) as Omit<CompiledJsx, "packages">),
});
