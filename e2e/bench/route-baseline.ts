// The baseline of a read, a separate process: a bare Elysia route that answers the same bytes with the same headers
// from memory.
import { Elysia } from "elysia";

export interface RouteBaselineJob {
  /** The product, which is asked once for each path to get its answer. */
  readonly url: string;
  readonly paths: readonly string[];
  readonly headersOf?: readonly Readonly<Record<string, string>>[];
  /** The route, with `:key` for the part in which the paths differ. */
  readonly route: string;
}

const { url, paths, headersOf, route } = (await Bun.stdin.json()) as RouteBaselineJob;
const keyAt = route.split("/").indexOf(":key");
const answers = new Map<
  string,
  { status: number; headers: Record<string, string>; body: Uint8Array<ArrayBuffer> | null }
>();
for (const [place, path] of paths.entries()) {
  const answer = await fetch(url + path, { headers: headersOf?.[place] ?? {} });
  const { date: _, "content-length": __, ...headers } = Object.fromEntries(answer.headers);
  const body = answer.status === 304 ? null : await answer.bytes();
  answers.set(path.split("/")[keyAt] ?? "", { status: answer.status, headers, body });
}

const app = new Elysia()
  .get(route, ({ params }) => {
    const answer = answers.get((params as { key: string }).key);
    if (answer === undefined) return new Response(null, { status: 404 });
    return new Response(answer.body, { status: answer.status, headers: answer.headers });
  })
  .listen({ port: 0, hostname: "127.0.0.1" });
process.stdout.write(`http://127.0.0.1:${app.server?.port}\n`);
