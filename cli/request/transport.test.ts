import { expect, test } from "bun:test";

import { line } from "../testing/line.ts";

const garbage = "<<<nope>>";

test.each([
  { status: 200, type: "application/json" },
  { status: 200, type: "application/json; charset=utf-8" },
  { status: 404, type: "application/problem+json" },
  { status: 503, type: "application/json" },
])(
  "an answer of $status that claims $type and is not JSON is the server's fault, by name",
  async ({ status, type }) => {
    for (const words of [["whoami"], ["health"], ["artifact", "list"]]) {
      const answer = () => new Response(garbage, { status, headers: { "content-type": type } });
      const { code, error, stdout } = await line(words, { answer, env: { SERVICE_TOKEN: "plk_x" } });
      expect({ words, code, stdout, error }).toMatchObject({
        words,
        code: 9,
        stdout: "",
        error: {
          code: "unavailable",
          detail: `The server's answer is not JSON (${status}, ${type}, 9 bytes)`,
          hint: "Is http://localhost:3000 a Plinth? Check --base-url, and any proxy in between",
        },
      });
    }
  },
);

test("a server that refuses the connection could not be reached, and nothing is said of a timeout", async () => {
  const answer = () => Promise.reject(new Error("connection refused"));
  const { code, error } = await line(["health"], { answer });
  expect({ code, detail: error["detail"] }).toEqual({ code: 9, detail: "http://localhost:3000 could not be reached" });
});
