// `plinth cat`: what is said where an answer has not all that was found.
import { expect, test } from "bun:test";

import { line } from "../testing/line.ts";

const artifactId = "art_01jd8w3c5t7k9m2n4p6q8r0s1v";
const words = ["artifact", "content", "--artifact-id", artifactId, "--outline"];
const outline = "1: # Report (report)\n";
const answer = (headers: Record<string, string>) => () =>
  new Response(outline, { headers: { "content-type": "text/markdown; charset=utf-8", ...headers } });

test("an outline that goes on says on standard error which command reads on", async () => {
  const { code, stdout, stderr } = await line(words, { answer: answer({ "x-artifact-next-line": "702" }) });
  expect([code, stdout]).toEqual([0, outline]);
  expect(stderr.trim()).toBe(
    `There is more: plinth api '/api/artifacts/${artifactId}/content?outline=true&startLine=702'`,
  );
});

test("an outline that is whole says nothing", async () => {
  expect(await line(words, { answer: answer({}) })).toMatchObject({ code: 0, stdout: outline, stderr: "" });
});
