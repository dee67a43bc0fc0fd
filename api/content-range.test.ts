// `Range` on the source of a version (RFC 9110 14).
import { afterAll, beforeAll, expect, test } from "bun:test";

import { createService, type Service } from "./test/service.ts";

let service: Service;
let path: string;
let tag: string;
const source = "# Zwölf\n\nÄpfel\n";
const bytes = new TextEncoder().encode(source);

beforeAll(async () => {
  service = await createService();
  const owner = await service.setup.person();
  const { slug } = await service.setup.project(owner.token);
  const { artifactId } = await service.setup.publish(owner.token, slug, { content: source });
  path = `/api/artifacts/${artifactId}/content`;
  tag = (await service.ask("GET", path)).headers.get("etag") ?? "";
});
afterAll(() => service.close());

const asked = async (headers: Record<string, string>, more = "", method = "GET") => {
  const answer = await service.ask(method, path + more, { headers });
  return { answer, status: answer.status, range: answer.headers.get("content-range"), body: await answer.bytes() };
};

test.each([
  ["bytes=0-0", 206, "0-0", [0, 1]],
  ["bytes=5-", 206, `5-${bytes.length - 1}`, [5, bytes.length]],
  ["bytes=-4", 206, `${bytes.length - 4}-${bytes.length - 1}`, [bytes.length - 4, bytes.length]],
  [`bytes=0-${bytes.length * 2}`, 206, `0-${bytes.length - 1}`, [0, bytes.length]],
  [`bytes=${bytes.length}-`, 416, "*", [0, 0]],
  ["bytes=-0", 416, "*", [0, 0]],
  ["bytes=0-1,4-5", 200, null, [0, bytes.length]],
  ["bytes=4-1", 200, null, [0, bytes.length]],
  ["lines=1-2", 200, null, [0, bytes.length]],
] as const)("%s is %i with these bytes of the source", async (range, status, place, [from, to]) => {
  const { answer, ...got } = await asked({ range });
  const wanted = {
    status,
    range: place === null ? null : `bytes ${place}/${bytes.length}`,
    body: bytes.subarray(from, to),
  };
  expect(got).toEqual(wanted);
  expect(answer.headers.get("accept-ranges")).toBe("bytes");
  expect(answer.headers.get("etag")).toBe(tag);
  expect(answer.headers.get("x-artifact-version")).toBe("1");
  if (status !== 416) expect(answer.headers.get("content-length")).toBe(String(to - from));
});

test("If-Range: another ETag, a weak one and a date get all of it, the current one the part", async () => {
  const range = "bytes=2-3";
  expect((await asked({ range, "if-range": tag })).status).toBe(206);
  for (const condition of ['"another"', `W/${tag}`, new Date().toUTCString()])
    expect((await asked({ range, "if-range": condition })).body).toEqual(bytes);
});

test("a caller who has it gets 304, with a range too; HEAD has no range; a part by lines has none either", async () => {
  expect((await asked({ range: "bytes=0-1", "if-none-match": tag })).status).toBe(304);
  expect(await asked({ range: "bytes=0-1" }, "", "HEAD")).toMatchObject({ status: 200, range: null });
  const part = await asked({ range: "bytes=0-1" }, "?startLine=3&endLine=3");
  expect([part.status, new TextDecoder().decode(part.body)]).toEqual([200, "Äpfel\n"]);
});
