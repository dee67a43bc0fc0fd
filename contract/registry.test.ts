// The registry has every operation that a module describes.
import { expect, test } from "bun:test";
import { join } from "node:path";

import { operations } from "./registry.ts";

test("each description of each module is in the registry under its own name", async () => {
  const folder = join(import.meta.dir, "operations");
  const files = [...new Bun.Glob("*.ts").scanSync({ cwd: folder })].filter((file) => !/\.(case|test)\.ts$/.test(file));
  const modules = await Promise.all(
    files.map((file) => import(join(folder, file)) as Promise<Record<string, unknown>>),
  );
  const described = modules.flatMap((module) =>
    Object.values(module).flatMap((value) =>
      typeof value === "object" && value !== null && "name" in value && "method" in value ? [value.name] : [],
    ),
  );
  expect(described.length).toBeGreaterThan(100);
  // A name that two descriptions share is in the list once, and in the modules twice.
  const listed = (names: readonly unknown[]) => names.map(String).toSorted();
  expect(listed(described)).toEqual(listed(operations.map(({ name }) => name)));
});
