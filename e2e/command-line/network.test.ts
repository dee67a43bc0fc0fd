// Both forms of the command line behind a proxy and with custom certificates, against servers on loopback.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { dirname, join } from "node:path";

import { distributions } from "../harness/distributions.ts";
import { runToEnd, temporaryFolder } from "../harness/process.ts";

const folder = await temporaryFolder("network");
const certificate = join(folder, "certificate.pem");
const key = join(folder, "key.pem");

/** The first line of each request that the proxy received. */
const asked: string[] = [];
const sockets = new Set<Socket>();
const proxy = createServer((socket) => {
  sockets.add(socket);
  socket.on("error", () => socket.destroy());
  socket.once("data", (head) => {
    const [line = ""] = head.toString("latin1").split("\r\n");
    asked.push(line);
    const [method = "", target = ""] = line.split(" ");
    const { hostname, port } = new URL(method === "CONNECT" ? `http://${target}` : target);
    const onward = connect(Number(port), hostname.replace("plinth.test", "127.0.0.1"), () => {
      if (method === "CONNECT") socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      else onward.write(head);
      socket.pipe(onward).pipe(socket);
    });
    sockets.add(onward);
    onward.on("error", () => socket.destroy());
  });
});
let proxyOrigin = "";
const answer = (): Response => Response.json({ artifacts: [], nextCursor: null });
const plain = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: answer });
let secure: Bun.Server<undefined>;

beforeAll(async () => {
  const made = Bun.spawnSync([
    ...["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"],
    ...["-keyout", key, "-out", certificate, "-days", "2", "-subj", "/CN=plinth.test"],
    ...["-addext", "subjectAltName=DNS:plinth.test,DNS:localhost,IP:127.0.0.1"],
  ]);
  if (made.exitCode !== 0) throw new Error(made.stderr.toString());
  secure = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    tls: { cert: Bun.file(certificate), key: Bun.file(key) },
    fetch: answer,
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  proxyOrigin = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  proxy.close();
  await Promise.all([plain.stop(true), secure.stop(true)]);
  await rm(folder, { recursive: true });
});

for (const { name, command } of distributions) {
  /** Lists artifacts of a server; returns the exit code, the standard error and the proxy's requests. */
  async function list(origin: string, more: Readonly<Record<string, string>>) {
    asked.length = 0;
    const env = { HOME: folder, PATH: `${dirname(command[0] ?? "")}:/usr/bin:/bin`, SERVICE_TOKEN: "plk_x", ...more };
    const ran = await runToEnd([...command, "artifact", "list", "--base-url", origin], { cwd: folder, env });
    return { ...ran, asked: [...asked] };
  }
  const done = { code: 0, stdout: '{"artifacts":[],"nextCursor":null}\n', stderr: "" };

  describe(`${name}: a proxy`, () => {
    test.each(["HTTP_PROXY", "http_proxy"])("%s carries requests over http", async (variable) => {
      const origin = `http://plinth.test:${plain.port}`;
      const ran = await list(origin, { [variable]: proxyOrigin });
      // The token goes to another machine without encryption.
      const stderr = expect.stringMatching(/^Warning: the token goes to \S+ unencrypted/);
      expect(ran).toMatchObject({ ...done, stderr, asked: [`GET ${origin}/api/profile/artifacts HTTP/1.1`] });
    });

    test.each(["HTTPS_PROXY", "https_proxy"])("%s carries requests over https in a tunnel", async (variable) => {
      const ran = await list(`https://plinth.test:${secure.port}`, {
        [variable]: proxyOrigin,
        NODE_EXTRA_CA_CERTS: certificate,
      });
      expect(ran).toMatchObject({ ...done, asked: [`CONNECT plinth.test:${secure.port} HTTP/1.1`] });
    });

    test("NO_PROXY and the proxy of the other scheme leave a request direct", async () => {
      const both = { HTTP_PROXY: proxyOrigin, HTTPS_PROXY: proxyOrigin };
      expect(await list(plain.url.origin, { ...both, NO_PROXY: "localhost,127.0.0.1" })).toMatchObject({
        ...done,
        asked: [],
      });
      expect(await list(plain.url.origin, { HTTPS_PROXY: proxyOrigin })).toMatchObject({ ...done, asked: [] });
    });

    test("that is away is a connection that failed", async () => {
      const ran = await list(`http://plinth.test:${plain.port}`, { HTTP_PROXY: "http://127.0.0.1:9" });
      expect({ code: ran.code, asked: ran.asked }).toEqual({ code: 9, asked: [] });
    });
  });

  describe(`${name}: a certificate that no public authority signed`, () => {
    test("is refused", async () => {
      expect(await list(`https://localhost:${secure.port}`, {})).toMatchObject({ code: 9, stdout: "" });
    });

    test.each(["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"])("is trusted by %s", async (variable) => {
      expect(await list(`https://localhost:${secure.port}`, { [variable]: certificate })).toMatchObject(done);
    });
  });
}
