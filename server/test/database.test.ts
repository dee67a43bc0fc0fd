import { expect, setDefaultTimeout, test } from "bun:test";
import { SQL } from "bun";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

setDefaultTimeout(60_000);

test("tests find a database in TEST_DATABASE_URL and may make more there", async () => {
  const sql = new SQL(process.env.TEST_DATABASE_URL ?? "", { max: 1 });
  const name = `made_${Date.now()}`;
  await sql.unsafe(`CREATE DATABASE ${name}`);
  await sql.unsafe(`DROP DATABASE ${name}`);
  await sql.close();
});

test.each(["process.exit(1)", "process.kill(process.pid, 'SIGKILL')"])(
  "nothing is left of it after %s",
  async (end) => {
    const module = JSON.stringify(join(import.meta.dir, "database.ts"));
    const script = `await import(${module}); console.log(process.env.TEST_DATABASE_URL); ${end}`;
    const { TEST_DATABASE_URL: _, ...env } = process.env;
    const child = Bun.spawn([process.execPath, "-e", script], {
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const url = new URL((await new Response(child.stdout).text()).trim());
    const directory = dirname(url.searchParams.get("host") ?? "");
    expect(await child.exited).not.toBe(0);
    // The guard gives PostgreSQL seconds to end before it kills it.
    for (let n = 0; n < 2000 && existsSync(directory); n += 1) await Bun.sleep(10);
    expect(existsSync(directory)).toBe(false);
  },
);
