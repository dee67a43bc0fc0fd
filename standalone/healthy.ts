// `bun standalone/healthy.ts [path]`: exits 0 where the process on this machine's PORT answers. What a container's health
// check runs; it reads nothing of what is answered.
import process from "node:process";

const path = process.argv[2] ?? "/api/health?live";
const port = process.env["PORT"]?.trim() || "3000";
const patienceMs = 3000;

const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
  redirect: "manual",
  signal: AbortSignal.timeout(patienceMs),
}).catch((error: unknown) => String(error));

if (typeof answer === "string" || !answer.ok) {
  process.stderr.write(`plinth: ${path} answers ${typeof answer === "string" ? answer : answer.status}\n`);
  process.exit(1);
}
