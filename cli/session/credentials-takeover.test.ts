// A process whose lock was taken over while it read the file of saved logins must not write that file.
import { expect, test } from "bun:test";
import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";

import { credentialsFile, forgetLogin, saveLogin, type SavedLogin } from "./credentials-file.ts";
import { Failure } from "../failure/failure.ts";
import { emptyDirectory } from "../testing/line.ts";

const origin = "http://localhost:3000";
const login: SavedLogin = {
  token: "pla_login0123456789",
  label: "laptop",
  username: "ada",
  since: "2026-11-01T00:00:00.000Z",
  expiresAt: null,
  issued: true,
};

for (const [name, change] of [
  ["saving a login", (env: Record<string, string>) => saveLogin(env, origin, login)],
  ["forgetting the last login", (env: Record<string, string>) => forgetLogin(env, origin)],
] as const)
  test.skipIf(process.platform === "win32")(`${name}: nothing is written after the lock was taken over`, async () => {
    const directory = emptyDirectory();
    const env = { HOME: directory, XDG_CONFIG_HOME: directory };
    const path = credentialsFile(env);
    const lock = join(dirname(path), "credentials.lock");
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    // The read of a pipe is over when the test says so.
    expect(Bun.spawnSync(["mkfifo", "-m", "600", path]).exitCode).toBe(0);
    const changing = change(env).then(
      () => null,
      (error: unknown) => error,
    );
    // Opens when the other side reads, and so has the lock.
    const pipe = await open(path, "w");
    expect(readFileSync(lock, "utf8")).not.toBe("");
    writeFileSync(lock, "another process");
    await pipe.writeFile(JSON.stringify({ origins: { [origin]: login } }));
    await pipe.close();
    const failure = await changing;
    expect(failure).toBeInstanceOf(Failure);
    expect((failure as Failure).cause).toMatchObject({ code: "ELOCKED" });
    expect(lstatSync(path).isFIFO()).toBe(true);
    expect(readFileSync(lock, "utf8")).toBe("another process");
    expect(readdirSync(dirname(path)).toSorted()).toEqual(["credentials.json", "credentials.lock"]);
  });
