// Reads of an API elsewhere: each is a request, and what is kept is answered only where the API says that it is the same.
import { beforeEach, expect, test } from "bun:test";
import type { Artifact } from "@plinth/contract/schemas/artifact";

import { createRemoteRead } from "./remote-read.ts";
import { artifact } from "./test/stand-in-api.ts";

const view = { owner: "ada", projectSlug: "notes", slug: "report", withFiles: true } as const;
let shown: Artifact | null;
let asked: Request[];
let read: ReturnType<typeof createRemoteRead>;

beforeEach(() => {
  shown = artifact({ slug: "report", title: "Latency" });
  asked = [];
  read = createRemoteRead((request) => {
    asked.push(request);
    return Promise.resolve(answerOf(request));
  }, "https://plinth.example");
});

function answerOf({ headers }: Request): Response {
  if (shown === null) {
    const problem = {
      type: "about:blank",
      title: "Not found",
      status: 404,
      detail: "x",
      code: "not_found",
      requestId: "r",
    };
    return Response.json(problem, { status: 404, headers: { "content-type": "application/problem+json" } });
  }
  const etag = `W/"${shown.title}"`;
  if (headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers: { etag } });
  return Response.json(shown, { headers: { etag } });
}

const readBy = (headers: Record<string, string> = {}) => read("artifact.getByPath", view, new Headers(headers));
const conditions = () => asked.map(({ headers }) => headers.get("if-none-match"));

test("each read is a request, and an answer that is the same is not sent again", async () => {
  const answers = [await readBy(), await readBy({ cookie: "language=de" }), await readBy()];
  expect(conditions()).toEqual([null, 'W/"Latency"', 'W/"Latency"']);
  expect(answers.map((answer) => "value" in answer && answer.value.title)).toEqual(["Latency", "Latency", "Latency"]);
  const [first, ...others] = answers.map((answer) => ("value" in answer ? answer.value : null));
  for (const other of others) expect(other === first).toBe(true);
  expect(asked.every(({ headers }) => headers.get("cookie") === null)).toBe(true);
});

test("what has changed is read, and what is no longer shown is refused at once and later", async () => {
  await readBy();
  shown = artifact({ slug: "report", title: "Throughput" });
  expect(await readBy()).toMatchObject({ value: { title: "Throughput" } });
  shown = null;
  for (let turn = 0; turn < 2; turn++) expect(await readBy()).toMatchObject({ problem: { status: 404 } });
  expect(asked).toHaveLength(4);
});

test("the answer to a visitor with a session is not kept, and what is kept is not theirs", async () => {
  await readBy();
  await readBy({ cookie: "plinth_session=x" });
  expect(conditions()).toEqual([null, null]);
  expect(asked[1]?.headers.get("cookie")).toBe("plinth_session=x");
});

test("another input is another answer", async () => {
  await readBy();
  await read("artifact.getByPath", { ...view, withNeighbours: true }, new Headers());
  expect(conditions()).toEqual([null, null]);
});
