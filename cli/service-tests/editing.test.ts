// Editing, names of artifacts and the project's file against the real service.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";

import type { Artifact, Version } from "@plinth/contract/schemas/artifact";

import { directory, file, plinth, result, startHung, startService, stopHung, stopService } from "../testing/service.ts";

let artifact: Artifact;
/** Half a megabyte around the one line that changes. */
const text = `# Large\n\n${"Line\n".repeat(100_000)}Q2: 41 %\n`;

beforeAll(async () => {
  await startService();
  ({ artifact } = await result<{ artifact: Artifact }>(
    `push --project-slug pages --create-project ${file("large.md", text)}`,
  ));
}, startHung);
afterAll(stopService, stopHung);

const content = async (): Promise<string> => (await plinth(`artifact content --artifact-id ${artifact.url}`)).stdout;

test("one line of a large text is changed by sending that line", async () => {
  const words = `artifact edit ada/pages/large --replace '41 %' --with '43 %' --changelog Corrected`;
  const preview = await plinth(`artifact edit ${artifact.artifactId} --replace '41 %' --with '43 %' --dry-run`);
  expect(preview.stdout.length).toBeLessThan(400);
  expect(await result<Version>(`${words} --check`)).toMatchObject({ versionNumber: 2, dryRun: true });
  expect(await result<Version>(words)).toMatchObject({ versionNumber: 2, changelog: "Corrected" });
  expect(await content()).toBe(text.replace("41", "43"));
});

test("a text that is there never or often changes nothing, and --all changes every place", async () => {
  const never = await plinth(`artifact edit ${artifact.url} --replace '41 %' --with x`);
  expect({ code: never.code, detail: never.error?.["detail"] }).toEqual({
    code: 7,
    detail: "The text of replacement 1 does not occur in v2; nothing was written",
  });
  const often = await plinth(`artifact edit ${artifact.url} --replace Line --with Row`);
  expect({ code: often.code, error: often.error }).toMatchObject({
    code: 7,
    error: {
      detail: "The text of replacement 1 occurs 100000 times in v2; nothing was written",
      errors: expect.arrayContaining([{ path: "edits.0.oldText", message: "occurs here", line: 3, column: 1 }]),
    },
  });
  expect(
    (await plinth(`artifact edit ${artifact.url} --all --replace Line --with Row --expected-latest-version 1`)).code,
  ).toBe(6);
  expect(await result<Version>(`artifact edit ${artifact.url} --all --replace Line --with Row`)).toMatchObject({
    versionNumber: 3,
  });
  expect(await content()).toBe(text.replace("41", "43").replaceAll("Line", "Row"));
});

test("a project's file gives the target, and open the address", async () => {
  file(".plinth.json", JSON.stringify({ owner: "ada", projectSlug: "pages" }));
  try {
    expect(await result<object>("path artifact --slug large")).toMatchObject({ artifactId: artifact.artifactId });
    expect(await result<object>("push --ensure large.md")).toMatchObject({ action: "updated", version: 4 });
    expect(await result<object>("artifact open --slug large --version 2")).toEqual({
      url: `${artifact.url}?v=2`,
      artifactId: artifact.artifactId,
      opened: false,
    });
  } finally {
    rmSync(join(directory, ".plinth.json"));
  }
});

test("the operator sees jobs, and a job that is not there cannot be tried again", async () => {
  expect(await result<object>("operator jobs list --limit 5")).toMatchObject({ jobs: expect.any(Array) });
  expect((await plinth("operator jobs retry --job-id none")).code).toBe(3);
});
