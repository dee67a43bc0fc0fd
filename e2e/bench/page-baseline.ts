// The baseline of the artifact page: a bare SvelteKit app of one page that shows a title and a frame from constant
// data, built with the same Kit, adapter and handler, and served as a separate process.
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const web = join(import.meta.dir, "../../web");

const files: Readonly<Record<string, string>> = {
  "vite.config.ts": `import { sveltekit } from "@sveltejs/kit/vite";
import { bunServeAdapter } from "./adapter.ts";
export default { plugins: [sveltekit({ adapter: bunServeAdapter() })], ssr: { noExternal: true } };`,
  "tsconfig.json": `{ "extends": "$app/tsconfig" }`,
  "src/app.html": `<!doctype html><html lang="en"><head><meta charset="utf-8">%sveltekit.head%</head><body>%sveltekit.body%</body></html>`,
  "src/routes/[owner]/[project]/[slug]/+page.server.ts": `export const load = ({ params }) => ({ title: params.slug, frameUrl: "/_content/" + params.slug });`,
  "src/routes/[owner]/[project]/[slug]/+page.svelte": `<script>let { data } = $props();</script>
<svelte:head><title>{data.title}</title></svelte:head>
<h1>{data.title}</h1><iframe title={data.title} src={data.frameUrl}></iframe>`,
  "serve.ts": `import { createWebHandler } from "./handler.ts";
const publicUrl = "http://127.0.0.1:" + process.env.PORT;
const web = await createWebHandler({ api: () => Promise.reject(new Error("no API")), publicUrl, version: "0" });
Bun.serve({ port: Number(process.env.PORT), hostname: "127.0.0.1", development: false, fetch: (request, bun) => web(request, { clientAddress: bun.requestIP(request)?.address ?? "" }) });
process.stdout.write(publicUrl + "\\n");`,
};

/** Builds the app into a new directory and returns its path. */
export function buildPageBaseline(directory: string): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  for (const file of ["adapter.ts", "handler.ts", "client-files.ts", "src/lib/server/page-headers.ts"]) {
    mkdirSync(dirname(join(directory, file)), { recursive: true });
    copyFileSync(join(web, file), join(directory, file));
  }
  const {
    imports: _,
    exports: __,
    ...manifest
  } = JSON.parse(readFileSync(join(web, "package.json"), "utf8")) as Record<string, unknown>;
  writeFileSync(join(directory, "package.json"), JSON.stringify({ ...manifest, name: "page-baseline" }));
  symlinkSync(join(web, "node_modules"), join(directory, "node_modules"));
  const built = Bun.spawnSync([process.execPath, "--bun", "vite", "build"], {
    cwd: directory,
    stdout: "pipe",
    stderr: "pipe",
  });
  if (!built.success) throw new Error(`the page to compare with did not build:\n${built.stderr.toString()}`);
}
