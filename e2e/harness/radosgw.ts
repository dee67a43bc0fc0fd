// A separate S3 server: Ceph's radosgw over one monitor and one storage daemon that keeps its data in memory. It starts in
// about a second, in a temporary folder, as any user.
import { createHash, createHmac } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { reservePort } from "@plinth/support/reserved-port";

import { outputOf, withinHung } from "./process.ts";

export interface RadosGateway {
  /** With the credentials and a new bucket: `http://key:secret@127.0.0.1:port/bucket`. */
  readonly url: string;
  end(): Promise<void>;
}

const programs = ["ceph", "ceph-authtool", "ceph-mon", "ceph-osd", "monmaptool", "radosgw", "radosgw-admin"];
const [accessKey, secretKey, bucket] = ["plinth-test", "a-secret-of-tests", "plinth"];

/** @throws if a program of Ceph is not installed */
export async function startRadosGateway(): Promise<RadosGateway> {
  const missing = programs.find((program) => Bun.which(program) === null);
  if (missing !== undefined)
    throw new Error(`${missing} is not installed (Debian: apt-get install radosgw ceph-mon ceph-osd)`);
  const folder = mkdtempSync(join(tmpdir(), "plinth-ceph-"));
  const [monitorPort, port] = [reservePort(), reservePort()];
  const cluster = crypto.randomUUID();
  const at = (name: string) => join(folder, name);
  writeFileSync(at("ceph.conf"), configuration(folder, cluster, monitorPort, port));
  for (const name of ["monitor", "storage", "gateway"]) mkdirSync(at(name));
  const run = (...command: string[]) => outputOf([...command, "-c", at("ceph.conf")]);
  const daemons: Bun.Subprocess[] = [];
  const start = (...command: string[]) => {
    const daemon = Bun.spawn([...command, "-c", at("ceph.conf"), "-f"], {
      // With the mark of the run, by which it is ended where the run is killed.
      env: process.env,
      stdio: ["ignore", "ignore", Bun.file(at(`${command[0]}.errors`))],
    });
    daemons.push(daemon);
  };
  const end = async () => {
    for (const daemon of daemons.toReversed()) daemon.kill("SIGKILL");
    await Promise.all(daemons.map(({ exited }) => exited));
    rmSync(folder, { recursive: true });
  };
  try {
    const keyring = at("keyring");
    const authorize = (name: string, ...more: readonly string[]) =>
      outputOf(["ceph-authtool", keyring, "--gen-key", "-n", name, "--cap", "mon", ...more]);
    await authorize("mon.", "allow *", "--create-keyring");
    await authorize("client.admin", "allow *", "--cap", "osd", "allow *");
    await authorize("osd.0", "allow profile osd", "--cap", "osd", "allow *");
    const address = `[v2:127.0.0.1:${monitorPort}]`;
    await outputOf(["monmaptool", "--create", "--fsid", cluster, "--addv", "a", address, at("monitors")]);
    await run("ceph-mon", "-i", "a", "--mkfs", "--monmap", at("monitors"), "--keyring", keyring);
    start("ceph-mon", "-i", "a");
    const storage = crypto.randomUUID();
    await withinHung(run("ceph", "osd", "new", storage), () => "Ceph's monitor did not start");
    await run("ceph-osd", "-i", "0", "--mkfs", "--osd-uuid", storage);
    start("ceph-osd", "-i", "0");
    start("radosgw", "-n", "client.admin");
    const user = ["--uid=test", "--display-name=Test", `--access-key=${accessKey}`, `--secret-key=${secretKey}`];
    await withinHung(answering(port), () => "radosgw did not start");
    await run("radosgw-admin", "-n", "client.admin", "user", "create", ...user);
    await createBucket(port);
  } catch (error) {
    await end();
    throw error;
  }
  return { url: `http://${accessKey}:${secretKey}@127.0.0.1:${port}/${bucket}`, end };
}

/** One copy of everything, in memory, and no waiting for other monitors: there are none. */
const configuration = (folder: string, cluster: string, monitorPort: number, port: number): string => `[global]
fsid = ${cluster}
mon host = v2:127.0.0.1:${monitorPort}/0
keyring = ${folder}/keyring
public addr = 127.0.0.1
run dir = ${folder}
crash dir = ${folder}
log file = /dev/null
admin socket =
mon cluster log file = ${folder}/cluster.log
ms bind ipv6 = false
ms bind msgr1 = false
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
osd objectstore = memstore
memstore device bytes = 1073741824
mon allow pool size one = true
mon max pg per osd = 1000
paxos propose interval = 0.01
paxos min wait = 0.01
[mon.a]
mon data = ${folder}/monitor
[osd.0]
osd data = ${folder}/storage
[client.admin]
rgw data = ${folder}/gateway
rgw frontends = beast endpoint=127.0.0.1:${port} tcp_nodelay=1
rgw thread pool size = 32
rgw override bucket index max shards = 1
rgw num rados handles = 1
rgw enable apis = s3
`;

async function answering(port: number): Promise<void> {
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => null);
    if (answer?.ok === true) return;
    await Bun.sleep(20);
  }
}

/** Bun's client has no call for it: the request is signed here (AWS Signature Version 4). */
async function createBucket(port: number): Promise<void> {
  const time = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const day = time.slice(0, 8);
  const scope = `${day}/us-east-1/s3/aws4_request`;
  const nothing = createHash("sha256").digest("hex");
  const headers = { host: `127.0.0.1:${port}`, "x-amz-content-sha256": nothing, "x-amz-date": time };
  const names = Object.keys(headers).join(";");
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`);
  const request = ["PUT", `/${bucket}`, "", lines.join(""), names, nothing].join("\n");
  const digest = createHash("sha256").update(request).digest("hex");
  const sign = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
  const key = scope.split("/").reduce<string | Buffer>(sign, `AWS4${secretKey}`);
  const signature = sign(key, ["AWS4-HMAC-SHA256", time, scope, digest].join("\n")).toString("hex");
  const authorization = `AWS4-HMAC-SHA256 Credential=${accessKey}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
  const answer = await fetch(`http://127.0.0.1:${port}/${bucket}`, {
    method: "PUT",
    headers: { ...headers, authorization },
  });
  if (!answer.ok) throw new Error(`The bucket was not created: ${await answer.text()}`);
}
