// Runs the bundler for the browser once, and returns the files.
import { withoutEval } from "./no-eval.ts";

/** Builds each entry into a file with the entry's name. Shared code goes into chunks named by their content. */
export async function bundle(
  entrypoints: readonly string[],
  {
    files = {},
    splitting = true,
    format = "esm",
  }: { files?: Record<string, string>; splitting?: boolean; format?: "esm" | "iife" } = {},
): Promise<Map<string, Uint8Array>> {
  const { outputs } = await Bun.build({
    entrypoints: [...entrypoints],
    files,
    target: "browser",
    format,
    splitting,
    plugins: [withoutEval],
    minify: true,
    define: { "process.env.NODE_ENV": '"production"' },
    naming: { entry: "[name].[ext]", chunk: "chunk-[hash].[ext]" },
  });
  const contents = new Map<string, Uint8Array>();
  for (const output of outputs)
    contents.set(output.path.replace(/^\.\//, ""), new Uint8Array(await output.arrayBuffer()));
  return contents;
}
