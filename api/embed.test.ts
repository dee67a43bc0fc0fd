// Embedding: the content addresses that pages of any site may frame, and the oEmbed answer. Only what anyone may see.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import type { Artifact, ArtifactType } from "@plinth/contract/schemas/artifact";
import type { OEmbed } from "@plinth/contract/schemas/oembed";
import { createInstance } from "@plinth/domain/instance";
import { createLoneLeases } from "@plinth/domain/leases/leases";
import { processClock } from "@plinth/domain/leases/protocol";
import type { PublicRow } from "@plinth/domain/access/public-rows";
import { captureLatestVersion } from "@plinth/domain/thumbnails/capture";
import { testRenderer } from "@plinth/domain/thumbnails/test/renderer";
import { closeThreads } from "@plinth/domain/threads/pool";
import type { TestPerson } from "@plinth/domain/test/context";

import { createService, origin, type Service } from "./test/service.ts";

let service: Service;
let owner: TestPerson;
let project: string;
const shown = {} as Record<ArtifactType, Artifact>;
let hidden: Artifact;
let filed: Artifact;
let shareToken: string;

const types = ["md", "html", "jsx"] as const;
const sources = {
  md: "# Heading",
  html: "<script>alert(2)</script>",
  jsx: "export default () => <b>hello</b>",
};
const privately = { access: { publicView: false, publicEdit: false } };

beforeAll(async () => {
  service = await createService();
  owner = await service.setup.person({ plan: "team" });
  project = (await service.setup.project(owner.token)).slug;
  for (const type of types)
    shown[type] = await service.setup.publish(owner.token, project, { type, content: sources[type] });
  hidden = await service.setup.publish(owner.token, project, { type: "html", content: sources.html, ...privately });
  const link = { artifactId: hidden.artifactId, role: "viewer" } as const;
  shareToken = (await service.setup.call("shareLink.create", link, { as: owner.token })).token ?? "";
  const files: { path: string; sha256: string }[] = [];
  for (const [path, text] of [
    ["a.css", "b { color: red }"],
    ["about.html", "<h1>About</h1>"],
  ] as const) {
    const body = new TextEncoder().encode(text);
    const sha256 = new Bun.CryptoHasher("sha256").update(body).digest("hex");
    expect((await service.ask("PUT", `/api/files/${sha256}`, { as: owner.token, body })).status).toBe(200);
    files.push({ path, sha256 });
  }
  filed = await service.setup.publish(owner.token, project, { type: "html", content: "<b>with files</b>", files });
});
afterAll(async () => {
  await closeThreads();
  await service.close();
});

const content = (place: "p" | "e", { artifactId }: Artifact, version: number | string = 1) =>
  `/_content/${place}/${artifactId}/${version}`;
const withoutRequestId = ({ headers }: Response) =>
  Object.fromEntries([...headers].filter(([name]) => name !== "x-request-id"));
/** All that a refusal shows. */
async function refusalOf(answer: Response) {
  const text = (await answer.text()).replace(/"requestId":"[^"]+"/, "");
  return { status: answer.status, headers: withoutRequestId(answer), text };
}

describe("content for the pages of any site", () => {
  test.each(types)(
    "%s has the headers of the app's frame, except for its address and that any page may be around it",
    async (type) => {
      const [own, embedded] = await Promise.all(
        (["p", "e"] as const).map((place) => service.ask("GET", content(place, shown[type]))),
      );
      expect([own?.status, embedded?.status]).toEqual([200, 200]);
      const plain = (response: Response | undefined) => {
        const { etag, ...headers } = withoutRequestId(response as Response);
        const policy = headers["content-security-policy"]?.replace(/'nonce-[^']+'/, "'nonce-'") ?? "";
        return { etag, headers, policy };
      };
      const [app, any] = [plain(own), plain(embedded)];
      expect(app.policy).toBe(`${any.policy}; frame-ancestors ${origin}`);
      expect(any.policy).toContain("sandbox allow-scripts");
      expect(any.policy).not.toContain("allow-same-origin");
      const again = (place: "p" | "e") => `"${origin}${content(place, shown[type])}"`;
      expect(app.headers["connection-allowlist"]).toContain(again("p"));
      expect(any.headers["connection-allowlist"]).toBe(
        app.headers["connection-allowlist"]?.replace(again("p"), again("e")),
      );
      const others = { "content-security-policy": "", "connection-allowlist": "" };
      expect({ ...any.headers, ...others }).toEqual({ ...app.headers, ...others });
      expect(any.headers["cache-control"]).toBe("public, no-cache");
      expect(any.headers["set-cookie"]).toBeUndefined();
      // They share no entry in memory, because their headers differ.
      expect(any.etag).not.toBe(app.etag);
    },
  );

  test("is sent once, asked about each time, and gone once it is private", async () => {
    const artifact = await service.setup.publish(owner.token, project, { content: "# Soon private" });
    const path = content("e", artifact);
    const etag = (await service.ask("GET", path)).headers.get("etag") ?? "";
    const again = { headers: { "if-none-match": etag } };
    expect((await service.ask("GET", path, again)).status).toBe(304);
    const access = { artifactId: artifact.artifactId, publicView: false, publicEdit: false, viewerEmails: [] };
    await service.setup.call("access.update", access, { as: owner.token });
    for (const asked of [again, {}]) expect((await service.ask("GET", path, asked)).status).toBe(404);
  });

  test("takes no more statements than the app's frame, also under a lease", async () => {
    const artifact = await service.setup.publish(owner.token, project, { content: "# Counted" });
    const read = (ask: Service["ask"], place: "p" | "e") => async () => {
      expect((await (await ask("GET", content(place, artifact))).bytes()).length).toBeGreaterThan(0);
    };
    const { setup } = service;
    await read(service.ask, "e")();
    expect(await setup.statementsOf(read(service.ask, "e"))).toBe(await setup.statementsOf(read(service.ask, "p")));
    const { config, db, queue } = setup.instance;
    const leases = createLoneLeases<PublicRow>(processClock);
    const leased = service.askOf(createInstance({ config, db, queue, leases, wakeRelay: () => undefined }));
    await read(leased, "e")();
    expect(await setup.statementsOf(read(leased, "e"))).toBe(0);
  });

  test("what not everyone may see answers as what is not there, with any credential", async () => {
    const missing = await refusalOf(await service.ask("GET", `/_content/e/art_${"0".repeat(26)}/1`));
    expect(missing.status).toBe(404);
    const deleted = await service.setup.publish(owner.token, project, { content: "gone" });
    await service.setup.call("artifact.delete", { artifactId: deleted.artifactId }, { as: owner.token });
    for (const path of [
      content("e", hidden),
      content("e", deleted),
      content("e", shown.md, 2),
      content("e", shown.md, "x"),
      `${content("e", hidden)}/files/a.css`,
      `${content("e", filed)}/files/none.css`,
    ])
      for (const headers of [
        {},
        { authorization: `Bearer ${owner.token}` },
        { "x-share-token": shareToken },
        { cookie: "plinth_session=x" },
      ])
        expect(await refusalOf(await service.ask("GET", path, { headers }))).toEqual(missing);
  });

  test("the files of a document are beside it, and a page of them is framed with the same policy", async () => {
    const redirect = await service.ask("GET", content("e", filed));
    const root = `${origin}${content("e", filed)}/files/`;
    expect([redirect.status, redirect.headers.get("location")]).toEqual([302, root]);
    const document = await service.ask("GET", root.slice(origin.length));
    const policy = document.headers.get("content-security-policy") ?? "";
    expect([document.status, policy.includes(root), policy.includes("frame-ancestors")]).toEqual([200, true, false]);
    expect(await document.text()).not.toContain("/_content/p/");
    const style = await service.ask("GET", `${root.slice(origin.length)}a.css`);
    expect([style.status, style.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
    const headers = { "sec-fetch-dest": "iframe" };
    const page = await service.ask("GET", `${root.slice(origin.length)}about.html`, { headers });
    const ofPage = page.headers.get("content-security-policy") ?? "";
    expect([page.status, ofPage.startsWith("sandbox "), ofPage.includes("frame-ancestors")]).toEqual([
      200,
      true,
      false,
    ]);
  });

  test("opened as a page it leads to the artifact, and there is no source view of it", async () => {
    const opened = await service.ask("GET", content("e", shown.md), { headers: { "sec-fetch-dest": "document" } });
    expect([opened.status, opened.headers.get("location")]).toEqual([302, `${shown.md.url}?v=1`]);
    expect((await service.ask("GET", `${content("e", shown.md)}/source`)).status).toBe(404);
  });
});

describe("oEmbed", () => {
  const ask = (query: Record<string, string>, more: Parameters<Service["ask"]>[2] = {}) =>
    service.ask("GET", `/api/oembed?${new URLSearchParams(query)}`, more);
  const answerTo = async (query: Record<string, string>): Promise<OEmbed> => {
    const answer = await ask(query);
    expect(answer.status).toBe(200);
    return (await answer.json()) as OEmbed;
  };

  test("describes a public artifact, for anyone", async () => {
    const { url, title } = shown.md;
    const embedded = `${origin}/embed${new URL(url).pathname}`;
    const answer = await ask({ url });
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "private, no-cache"]);
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    expect(await answer.json()).toEqual({
      type: "rich",
      version: "1.0",
      title,
      author_name: owner.username,
      author_url: `${origin}/${owner.username}`,
      provider_name: "plinth.test",
      provider_url: `${origin}/`,
      html:
        `<iframe src="${embedded}" title="${title}" width="800" height="600" loading="lazy" ` +
        'style="border:0;max-width:100%"></iframe>',
      width: 800,
      height: 600,
      cache_age: 3600,
    });
    const again = { headers: { "if-none-match": answer.headers.get("etag") ?? "" } };
    expect((await ask({ url }, again)).status).toBe(304);
    expect((await ask({ url }, { as: owner.token })).status).toBe(200);
  });

  test("stays within the size that is asked for", async () => {
    const { url } = shown.md;
    const small = await answerTo({ url, maxwidth: "320", maxheight: "200", format: "json", dnt: "1" });
    expect([small.width, small.height]).toEqual([320, 200]);
    expect(small.html).toContain('width="320" height="200"');
    const large = await answerTo({ url, maxwidth: "5000" });
    expect([large.width, large.height]).toEqual([800, 600]);
    for (const maxwidth of ["0", "-1", "1e9", "x", "1.5", "999999999999999999999"])
      expect((await ask({ url, maxwidth })).status).toBe(400);
  });

  test("has the screenshot once there is one, in the size that fits", async () => {
    const { artifactId, url } = await service.setup.publish(owner.token, project, { content: "# Seen" });
    expect(await answerTo({ url })).not.toHaveProperty("thumbnail_url");
    const { config, db } = service.setup.instance;
    await captureLatestVersion({ db, config, renderer: testRenderer() }, artifactId, false);
    const address = `${origin}/api/artifacts/${artifactId}/thumbnail`;
    const sizes = async (query: object) => {
      const { thumbnail_url: at, thumbnail_width: width, thumbnail_height: height } = await answerTo({ url, ...query });
      return [at, width, height];
    };
    expect(await sizes({})).toEqual([`${address}?size=1200`, 1200, 750]);
    expect(await sizes({ maxwidth: "1199" })).toEqual([`${address}?size=600`, 600, 375]);
    expect(await sizes({ maxheight: "374" })).toEqual([undefined, undefined, undefined]);
    expect((await service.ask("GET", `/api/artifacts/${artifactId}/thumbnail?size=600`)).status).toBe(200);
  });

  test("takes the URL as it is pasted, and parameters of its consumers", async () => {
    const { url } = shown.md;
    const { html } = await answerTo({ url });
    for (const query of [
      { url: `${url}/` },
      { url: `${url}.md` },
      { url, callback: "f" },
      { url, _: "1", dnt: "1" },
      { url, format: "JSON" },
    ])
      expect((await answerTo(query)).html).toBe(html);
    for (const wrong of [`${url}//`, `${url}/x`, `${url}.exe`, `${url}.md.md`])
      expect((await ask({ url: wrong })).status).toBe(404);
    expect(
      (
        await service.ask(
          "GET",
          `/api/oembed?${new URLSearchParams([
            ["url", url],
            ["url", url],
          ])}`,
        )
      ).status,
    ).toBe(400);
  });

  test("of one version shows that version", async () => {
    const { artifactId, url } = await service.setup.publish(owner.token, project, { content: "# One" });
    await service.setup.call("version.create", { artifactId, content: "# Two" }, { as: owner.token });
    const { html } = await answerTo({ url: `${url}?v=1` });
    expect(html).toContain(`/embed${new URL(url).pathname}?v=1"`);
    expect((await ask({ url: `${url}?v=3` })).status).toBe(404);
  });

  test("a former address, and one in other letters, answer for the present one", async () => {
    const { artifactId, url } = await service.setup.publish(owner.token, project, { content: "# Moved" });
    const { slug, url: present } = await service.setup.call(
      "artifact.patch",
      { artifactId, slug: "moved-away" },
      { as: owner.token },
    );
    expect(url).not.toBe(present);
    for (const asked of [url, present, present.replace(slug, slug.toUpperCase())]) {
      const { html } = await answerTo({ url: asked });
      expect(html).toContain(`src="${origin}/embed${new URL(present).pathname}"`);
    }
  });

  test("a title is text in the html", async () => {
    const title = `"><script>alert(1)</script>`;
    const { url } = await service.setup.publish(owner.token, project, { content: "x", title });
    const answer = await answerTo({ url });
    expect(answer.title).toBe(title);
    expect(answer.html).toContain('title="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"');
  });

  test("any other URL is the same 404: hidden, missing, foreign, disguised", async () => {
    const { url } = shown.md;
    const { pathname } = new URL(url);
    const missing = await refusalOf(await ask({ url: `${origin}/nobody/has/this` }));
    expect(missing.status).toBe(404);
    const others = [
      hidden.url,
      `${hidden.url}?v=1`,
      `${url}?v=2`,
      `${url}?v=0`,
      `${url}?v=`,
      `${url}?v=99999999999`,
      `${origin}/`,
      `${origin}/${owner.username}`,
      `${origin}/${owner.username}/${project}`,
      `${url}/history`,
      `${origin}/embed${pathname}`,
      `https://elsewhere.example${pathname}`,
      `https://plinth.test${pathname}`,
      `http://plinth.test:8080${pathname}`,
      `http://plinth.test.elsewhere.example${pathname}`,
      `http://ada:secret@plinth.test${pathname}`,
      `http://plinth.test@elsewhere.example${pathname}`,
      `ftp://plinth.test${pathname}`,
      `javascript:alert("${url}")`,
      `data:text/html,${url}`,
      `file://${pathname}`,
      `blob:${url}`,
      pathname,
      `//plinth.test${pathname}`,
      "not a url",
      "http://",
      " ",
      `${origin}${pathname.replaceAll("/", "%2F")}`,
      `${origin}/..%2f..%2f${pathname}`,
      `${url}%00`,
      `${url}%2Fhistory`,
      `${origin}/${"a".repeat(1900)}/b/c`,
    ];
    for (const asked of others)
      expect({ asked, ...(await refusalOf(await ask({ url: asked }))) }).toEqual({ asked, ...missing });
    for (const headers of [{ authorization: `Bearer ${owner.token}` }, { "x-share-token": shareToken }])
      expect((await ask({ url: hidden.url }, { headers })).status).toBe(404);
  });

  test("without a URL or with a huge one 400, and another format than JSON 501, wherever the URL leads", async () => {
    expect((await ask({})).status).toBe(400);
    expect((await ask({ url: "" })).status).toBe(400);
    expect((await ask({ url: `${origin}/${"a".repeat(3000)}` })).status).toBe(400);
    for (const format of ["xml", "XML", "yaml", ""])
      for (const { url } of [shown.md, hidden]) {
        const answer = await ask({ url, format });
        expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([501, "not_implemented"]);
      }
  });
});
