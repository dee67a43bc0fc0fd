import { describe, expect, test } from "bun:test";

import { json, line } from "../testing/line.ts";

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

describe("a server that cannot be reached: what is in the way, and what to do", () => {
  const failing = (code: string, cause?: Error) => () => {
    throw Object.assign(new Error("fetch failed", { cause }), { code });
  };
  test.each([
    ["ENOTFOUND", "no such host is known", "the network"],
    ["ECONNREFUSED", "nothing listens there", "Is it running"],
    ["ConnectionRefused", "nothing listens there", "Is it running"],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "its certificate is not trusted", "NODE_EXTRA_CA_CERTS"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "its certificate is not trusted", "NODE_EXTRA_CA_CERTS"],
    ["ERR_SSL_WRONG_VERSION_NUMBER", "it does not speak https", "http://"],
  ])("%s", async (code, why, hint) => {
    for (const answer of [failing(code), failing("", Object.assign(new Error("cause"), { code }))]) {
      const { error } = await line(["health"], { answer });
      expect(error["detail"]).toBe(`http://localhost:3000 could not be reached: ${why}`);
      expect(error["hint"]).toContain(hint);
    }
  });

  test("anything else is not explained", async () => {
    const { error } = await line(["health"], { answer: failing("EWHATEVER") });
    expect(error["detail"]).toBe("http://localhost:3000 could not be reached");
  });
});

describe("a token that goes over the network without encryption", () => {
  const said = async (origin: string, token: string) =>
    (await line(["whoami"], { env: { SERVICE_BASE_URL: origin, SERVICE_TOKEN: token }, answer: () => json({}) }))
      .stderr;

  test("is warned of, but not on this machine, with https or without a token", async () => {
    expect(await said("http://plinth.test", "plk_x")).toBe(
      "Warning: the token goes to http://plinth.test unencrypted; use https where others share the network\n",
    );
    for (const origin of ["http://localhost:3000", "http://127.0.0.1:3000", "http://[::1]:3000", "https://plinth.test"])
      expect(await said(origin, "plk_x")).toBe("");
    expect(await said("http://plinth.test", "")).toBe("");
  });
});

test("an address without a scheme is https, and http for this machine", async () => {
  const asked = async (given: string) =>
    (await line(["health", "--base-url", given], { answer: () => json({}) })).requests[0]?.url;
  expect(await asked("localhost:3177")).toBe("http://localhost:3177/api/health");
  expect(await asked("127.0.0.1")).toBe("http://127.0.0.1/api/health");
  expect(await asked("plinth.example.com")).toBe("https://plinth.example.com/api/health");
  expect(await asked("plinth.example.com:8443")).toBe("https://plinth.example.com:8443/api/health");
});
