// `plinth artifact thumbnail`: the image's bytes unchanged, to anything but a terminal.
import { expect, test } from "bun:test";

import { line, type LineContext } from "../testing/line.ts";

const words = ["artifact", "thumbnail", "--artifact-id", "art_01jd8w3c5t7k9m2n4p6q8r0s1v"];
const picture = (state: string, mediaType: string): LineContext => ({
  env: { SERVICE_BASE_URL: "https://plinth.test" },
  answer: () => new Response("RIFF picture", { headers: { "x-thumbnail": state, "content-type": mediaType } }),
});

test("the bytes come as they are in every form", async () => {
  for (const form of [[], ["--format", "json"], ["--format", "text"]])
    expect(await line([...words, ...form], picture("ready", "image/webp"))).toMatchObject({
      code: 0,
      stdout: "RIFF picture",
      stderr: "",
    });
});

test("a placeholder is reported as one", async () => {
  for (const [state, said] of [
    ["pending", "The thumbnail is not ready yet"],
    ["placeholder", "No thumbnail could be taken"],
  ] as const) {
    const { code, stderr } = await line(words, picture(state, "image/svg+xml"));
    expect(code).toBe(0);
    expect(stderr).toStartWith(said);
  }
});

test("the size is one of two, and is sent as a number", async () => {
  const { requests } = await line([...words, "--size", "600"], picture("ready", "image/webp"));
  expect(requests[0]?.url).toEndWith("/thumbnail?size=600");
  for (const size of ["300", "0600", "6e2", "large"]) {
    const { code, error, requests: sent } = await line([...words, "--size", size]);
    expect([size, code, sent]).toEqual([size, 2, []]);
    expect(JSON.stringify(error)).toContain("1200, 600");
  }
});

test("a terminal gets a description of the image and the command that saves it", async () => {
  const { code, stdout, stderr } = await line(words, { ...picture("ready", "image/webp"), terminal: true });
  expect(code).toBe(0);
  expect(stdout).toContain("image/webp");
  expect(stdout).not.toContain("RIFF");
  expect(stderr).toContain("plinth artifact thumbnail … > picture.webp");
});
