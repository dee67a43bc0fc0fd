// A separate place in the S3 server of the run (`*.s3.test.ts`), reached by a line that a test can cut or silence.
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

import type { ObjectStore } from "@plinth/db/object-store";

import type { ObjectStoreSettings } from "../config.ts";
import { createS3Store, type ObjectRequest } from "../storage/s3-store.ts";
import { verified } from "../storage/verified-store.ts";

export interface ObjectStorage {
  readonly settings: ObjectStoreSettings;
  /** The environment of a process that uses it. */
  readonly environment: Readonly<Record<string, string>>;
  /** As a process has it; a new one has nothing in memory. */
  open(changed?: Partial<ObjectStoreSettings>, deadlineMs?: number): ObjectStore;
  /** The requests of all that were opened, since the last call. */
  requests(): ObjectRequest[];
  /** The bucket as another program sees it, past the line. */
  readonly bucket: {
    names(): Promise<string[]>;
    put(name: string, data: Uint8Array): Promise<void>;
    remove(name: string): Promise<void>;
  };
  /** No connection is accepted, and those that are open end. */
  cut(): Promise<void>;
  /** Connections are accepted, and nothing is answered. */
  silence(): void;
  restore(): Promise<void>;
  close(): Promise<void>;
}

/** @throws where TEST_S3_URL is not set: `bun run test` sets it */
export async function openObjectStorage(): Promise<ObjectStorage> {
  const given = process.env["TEST_S3_URL"];
  if (given === undefined) throw new Error("TEST_S3_URL is not set; run the tests through `bun run test`");
  const url = new URL(given);
  const line = await lineTo(url);
  const bucket = url.pathname.slice(1);
  const prefix = `${crypto.randomUUID()}/`;
  const access = { region: "us-east-1", accessKeyId: url.username, secretAccessKey: url.password };
  const settings = { ...access, bucket, prefix, endpoint: line.origin, sessionToken: null, isReadOnly: false };
  const direct = new Bun.S3Client({ ...access, bucket, endpoint: url.origin });
  let requests: ObjectRequest[] = [];
  return {
    settings,
    environment: {
      CONTENT_STORE: `s3://${bucket}/${prefix}`,
      S3_ENDPOINT: line.origin,
      S3_ACCESS_KEY_ID: url.username,
      S3_SECRET_ACCESS_KEY: url.password,
    },
    open: (changed = {}, deadlineMs = 8000) =>
      verified(
        createS3Store({ ...settings, ...changed }, { deadlineMs, onRequest: (request) => requests.push(request) }),
      ),
    requests() {
      const made = requests;
      requests = [];
      return made;
    },
    bucket: {
      async names() {
        const names: string[] = [];
        for (let startAfter = ""; ;) {
          const { contents = [] } = await direct.list({ prefix, ...(startAfter && { startAfter }) });
          const last = contents.at(-1);
          if (last === undefined) return names;
          names.push(...contents.map(({ key }) => key.slice(prefix.length)));
          startAfter = last.key;
        }
      },
      put: async (name, data) => void (await direct.write(prefix + name, data)),
      remove: (name) => direct.delete(prefix + name),
    },
    cut: () => line.cut(),
    silence: () => line.silence(),
    restore: () => line.restore(),
    close: () => line.cut(),
  };
}

async function lineTo({ hostname, port }: URL) {
  let isSilent = false;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const other = connect(Number(port), hostname);
    for (const one of [client, other]) {
      sockets.add(one);
      one.on("error", () => undefined);
      one.on("close", () => {
        sockets.delete(one);
        client.destroy();
        other.destroy();
      });
    }
    client.on("data", (data) => void (isSilent || other.write(data)));
    other.on("data", (data) => void client.write(data));
  });
  const listen = (at: number) => new Promise<void>((resolve) => void server.listen(at, "127.0.0.1", resolve));
  const endAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  await listen(0);
  const { port: at } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${at}`,
    cut: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        endAll();
      }),
    silence: () => void (isSilent = true),
    async restore() {
      isSilent = false;
      endAll();
      if (!server.listening) await listen(at);
    },
  };
}
