// `bun start`, and `bun run dev`, `api`, `worker` and `web`: from a fresh clone to a running process, with almost no
// work when everything is up to date. It must not know the program, which is server/main.ts or another file there.
import { readFileSync } from "node:fs";

import { buildClient } from "./build-client.ts";
import { buildRuntime } from "./build-runtime.ts";
import { buildWeb } from "./build-web.ts";
import { install } from "./install.ts";
import { requirePinnedBun } from "./pinned-bun.ts";

const lookEveryMs = 1000;

const [kind = "main"] = process.argv.slice(2);
if (!["main", "dev", "api", "worker", "web"].includes(kind)) {
  console.error("Usage: bun start, or bun run dev, api, worker or web");
  process.exit(64);
}
await requirePinnedBun();
install();
if (kind !== "web") buildRuntime();
if (kind === "main" || kind === "web") buildWeb();
if (kind === "main" || kind === "api") buildClient();
endWithStarter();
await import(`../server/${kind}.ts`);

/**
 * `bun run`, and `npx` before it, are between the person's shell and this process. They don't forward the news when
 * they are killed, and the port would stay taken.
 */
function endWithStarter(): void {
  if (!["start", "dev", "api", "worker", "web"].includes(process.env["npm_lifecycle_event"] ?? "")) return;
  const before = starters();
  const timer = setInterval(() => {
    if (starters() === before) return;
    clearInterval(timer);
    process.kill(process.pid, "SIGTERM");
  }, lookEveryMs);
  timer.unref();
}

/** The ancestors of this process, up to npx where it is among them. An orphan gets another parent. */
function starters(): string {
  const above: { pid: number; name: string }[] = [];
  for (let pid = process.ppid; above.length < 3;) {
    const found = stat(pid);
    if (found === undefined) break;
    above.push({ pid, name: found.name });
    pid = found.parent;
  }
  const npx = above.findIndex(({ name }) => /^np[mx]/.test(name));
  return [process.ppid, ...above.slice(0, npx + 1).map(({ pid }) => pid)].join(" ");
}

/** A process's parent and name on Linux; undefined on other systems, and for a process that has ended. */
function stat(pid: number): { parent: number; name: string } | undefined {
  try {
    const [, name = "", rest = ""] = /\((.*)\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
    return { parent: Number(rest.split(" ")[1]), name };
  } catch {
    return undefined; // No such process, or no such file system.
  }
}
