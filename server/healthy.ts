// `bun server/healthy.ts [api|worker|web]`: exits 0 where that local process answers. A container's health check
// runs it; the content of the answer does not matter.
import process from "node:process";

/**
 * The request for each process. It does not depend on the database or the API, whose absence is not the process's
 * fault.
 */
const signs: Readonly<Record<string, { readonly variable: string; readonly path: string }>> = {
  api: { variable: "PORT", path: "/api/health?live" },
  worker: { variable: "WORKER_PORT", path: "/health?live" },
  web: { variable: "PORT", path: "/robots.txt" },
};
const timeoutMs = 3000;

function fail(why: string): never {
  process.stderr.write(`plinth: ${why}\n`);
  process.exit(1);
}

const name = process.argv[2] ?? "api";
const sign = signs[name] ?? fail(`there is no ${name} to ask: it is ${Object.keys(signs).join(", ")}`);
const { variable, path } = sign;
const port = process.env[variable]?.trim() || (variable === "PORT" ? "3000" : fail(`${variable} is not set`));

const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
  redirect: "manual",
  signal: AbortSignal.timeout(timeoutMs),
}).catch((error: unknown) => String(error));

if (typeof answer === "string" || !answer.ok)
  fail(`${path} answers ${typeof answer === "string" ? answer : answer.status}`);
