// Documents whose bytes are in object storage, over HTTP: as any other, and 503 while the storage is away.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { createInstance } from "@plinth/domain/instance";
import { moveContents } from "@plinth/domain/jobs/move-contents";
import { closeThreads } from "@plinth/domain/threads/pool";
import { openObjectStorage, type ObjectStorage } from "@plinth/domain/test/object-storage";
import type { TestPerson } from "@plinth/domain/test/context";

import { unzipSync } from "fflate";

import { createService, type Service } from "./test/service.ts";

let storage: ObjectStorage;
let service: Service;
let owner: TestPerson;
let slug: string;
beforeAll(async () => {
  storage = await openObjectStorage();
  service = await createService({}, storage.open());
  owner = await service.setup.person();
  ({ slug } = await service.setup.project(owner.token));
});
afterAll(async () => {
  await closeThreads();
  await service.close();
  await storage.close();
});

test("text, frame and diff of a moved document are served, and 503 with Retry-After while the storage is away", async () => {
  const { setup } = service;
  const { artifactId } = await setup.publish(owner.token, slug, { type: "html", content: "<p>First of two</p>" });
  await setup.call("version.create", { artifactId, content: "<p>Second of two</p>" }, { as: owner.token });
  await moveContents(setup.db);
  const paths = [
    `/api/artifacts/${artifactId}/content?version=1`,
    `/_content/p/${artifactId}/1`,
    `/api/artifacts/${artifactId}/diff?from=1&to=2`,
  ];
  // As another process, which has read nothing.
  const answers = () => {
    const { config, queue } = setup.instance;
    const ask = service.askOf(createInstance({ config, queue, db: { ...setup.db, objects: storage.open() } }));
    return Promise.all(
      paths.map(async (path) => {
        const response = await ask("GET", path, { as: owner.token });
        return { status: response.status, retry: response.headers.get("retry-after"), text: await response.text() };
      }),
    );
  };
  const { bucket, prefix, accessKeyId, endpoint } = storage.settings;
  const requireSilent = (texts: readonly { readonly text: string }[]) => {
    for (const { text } of texts)
      for (const word of [`${bucket}/`, prefix, accessKeyId, endpoint ?? "", "X-Amz"]) expect(text).not.toContain(word);
  };
  const served = await answers();
  expect(served.map(({ status, retry }) => [status, retry])).toEqual(paths.map(() => [200, null]));
  expect(served.map(({ text }) => text.includes("First of two"))).toEqual([true, true, true]);
  requireSilent(served);

  await storage.cut();
  const refused = await answers();
  expect(refused.map(({ status, retry }) => [status, retry])).toEqual(paths.map(() => [503, "2"]));
  requireSilent(refused);
  const content = "<p>Published meanwhile</p>";
  const { status } = await service.ask("POST", `/api/artifacts/${artifactId}/versions`, {
    as: owner.token,
    body: { content },
  });
  expect(status).toBe(201);
  await storage.restore();
  expect(await answers()).toEqual(served);
});

test("the archive, imports and texts of files that moved are made of the bytes of their objects", async () => {
  const { setup } = service;
  const as = owner.token;
  const upload = async (path: string, text: string) => {
    const file = new TextEncoder().encode(text);
    const sha256 = new Bun.CryptoHasher("sha256").update(file).digest("hex");
    await setup.call("file.upload", { sha256 }, { as, file });
    return { path, sha256 };
  };
  const label = await upload("parts/label.js", "export const label = 'Of a file that moved';");
  const text = await upload("text.md", "# A text that moved");
  const content = "import { label } from './parts/label.js';\nexport default () => <p>{label}</p>;";
  const { artifactId } = await setup.publish(as, slug, { type: "jsx", content, files: [label] });
  await moveContents(setup.db);
  // The document is compiled again, with the file.
  await setup.db.run("DELETE FROM rendering");
  const { config, queue } = setup.instance;
  const cold = createInstance({ config, queue, db: { ...setup.db, objects: storage.open() } });
  const ask = service.askOf(cold);
  const framed = await ask("GET", `/_content/p/${artifactId}/1/files/`, { as });
  expect(await framed.text()).toContain("Of a file that moved");
  const zip = new Uint8Array(await (await ask("GET", `/api/artifacts/${artifactId}/archive`, { as })).arrayBuffer());
  const entries = Object.entries(unzipSync(zip)).map(([path, bytes]) => [path, new TextDecoder().decode(bytes)]);
  expect(Object.fromEntries(entries)["parts/label.js"]).toBe("export const label = 'Of a file that moved';");
  const other = await setup.publish(as, slug);
  const path = `/api/artifacts/${other.artifactId}`;
  const published = await ask("POST", `${path}/versions`, { as, body: { contentSha256: text.sha256 } });
  expect(published.status).toBe(201);
  expect(await (await ask("GET", `${path}/content`, { as })).text()).toBe("# A text that moved");
});
