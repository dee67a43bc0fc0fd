// Every route of the application, read from the code, belongs to a class of answer with exactly its headers. A new
// route without a class fails here.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";

import { viewAddress } from "@plinth/contract/frame";
import { operations } from "@plinth/contract/registry";
import { fileBeside } from "@plinth/contract/test/fixtures";

import { call, rightToken } from "./harness/call.ts";
import * as classes from "./harness/header-classes.ts";
import { faultsOf, type Headers, type PageKind } from "./harness/header-classes.ts";
import { send, type Answer, type Send } from "./harness/http.ts";
import { startInstance, type Instance } from "./harness/instance.ts";
import { createArtifact } from "./harness/people.ts";
import { policyOf } from "./harness/policy.ts";
import { hung, repository } from "./harness/process.ts";
import { openStripe } from "./harness/selling.ts";
import { sources, types } from "./harness/samples.ts";
import { createFixtures, type Fixtures } from "./harness/fixtures.ts";

setDefaultTimeout(3 * hung);

/** One instance serves everything on one origin; the other has a separate host for content. */
const kinds = ["one origin", "a content origin"] as const;
/** Without a token there is no route for metrics. */
const metricsToken = "for-whoever-reads-figures";
const places = new Map<(typeof kinds)[number], { instance: Instance; fixtures: Fixtures; content: string }>();

/** The fake Stripe of the instance that sells plans. */
let stripe: Awaited<ReturnType<typeof openStripe>>;

beforeAll(async () => {
  stripe = await openStripe();
  const env = { METRICS_TOKEN: metricsToken, ...stripe.environment };
  const [one, two] = await Promise.all([startInstance({ env }), startInstance({ env, contentApart: true })]);
  places.set("one origin", { instance: one, fixtures: await createFixtures(one), content: one.origin });
  places.set("a content origin", {
    instance: two,
    fixtures: await createFixtures(two),
    content: `http://localhost:${two.port}`,
  });
}, hung);
afterAll(async () => {
  await Promise.all([...places.values()].map(({ instance }) => instance.stop()));
  await stripe.close();
}, hung);

function placeOf(kind: (typeof kinds)[number]) {
  const place = places.get(kind);
  if (place === undefined) throw new Error("it has not started");
  return place;
}

const coded: Headers = { vary: "Accept-Encoding", "content-encoding": /^(?:br|gzip|zstd)$/ };
const asPage = { headers: { accept: "text/html" } } as const;
/** The headers of Kit's own answers, and what an artifact's page varies by. */
const ofPages: Headers = {
  "content-type": /^(?:text\/html|application\/json)/,
  location: /^\//,
  vary: /^(?:Accept|(?:Accept, )?Accept-Language(?:, Accept-Encoding)?)$/,
  "content-encoding": /^(?:br|gzip|zstd)$/,
  allow: /^[A-Z, ]+$/,
  "x-sveltekit-page": "true",
  "x-sveltekit-version": /^\d+$/,
  link: /^</,
};

/** Kit's own refusals are a line of text. */
const ofRefusals: Headers = { "content-type": "application/octet-stream", allow: /^[A-Z, ]+$/ };

/** A policy whose nonces and hashes of inline scripts are any. */
const named = (answer: Answer) =>
  Object.fromEntries(
    Object.entries(policyOf(answer)).map(([name, values]) => [
      name,
      values
        .map((value) => value.replace(/^'nonce-[\w+/=-]{16,}'$/, "'nonce-'"))
        .map((value) =>
          name === "script-src" || name === "style-src" ? value.replace(/^'sha256-[\w+/=]{44}'$/, "'sha256-'") : value,
        )
        .toSorted(),
    ]),
  );

/** The routes of the web app by the folders of its pages, without their groups. */
const pageRoutes = (
  await Array.fromAsync(new Bun.Glob("**/+{page.svelte,server.ts}").scan(join(repository, "web/src/routes")))
).map((file) => `/${file.split("/").slice(0, -1).join("/")}`);
const bareRoute = (route: string): string => route.replaceAll(/\/\([a-z]+\)/g, "") || "/";

/** The documentation, whose pages are the same for everyone. */
const docsRoute = "/docs/[...path]";

const kindOfRoute = (route: string): PageKind =>
  route === docsRoute
    ? "shared"
    : route.includes("/share/")
      ? "secret"
      : route.includes("/login/email/")
        ? "mailed"
        : route.includes("/(own)")
          ? "own"
          : "plain";

/** Routes whose answer is no page, with its class; a refusal of theirs is a page. */
const fileRoutes: Readonly<Record<string, Headers>> = {
  "/[owner]/[project]/feed.atom": classes.feed,
  "/[owner]/[project]/[slug]/qr.svg": classes.qrCode,
  "/embed/[owner]/[project]/[slug]": classes.embedPage,
};

/** Routes that preview a text before it is published. */
const draftRoutes: ReadonlySet<string> = new Set([
  "/",
  "/workspaces/new/publish",
  "/[owner]/[project]/[slug]/edit",
  "/dashboard/[workspaceSlug]/publish",
]);

/** A URL of the route that shows something to the owner. */
function addressOf(route: string, { owner, project, artifact, shareToken }: Fixtures): string {
  const named: Record<string, string> = {
    "/share/[token]": `/share/${shareToken}`,
    "/login/email/[token]": "/login/email/none",
    "/docs/[...path]": "/docs/errors/not_found",
    "/[owner]/[project]/[...path]": `/${owner.username}/${project.slug}/guide/${artifact.slug}.md`,
    "/settings/workspaces/[slug]": `/settings/workspaces/${owner.username}`,
    "/settings/workspaces/[slug]/activity": `/settings/workspaces/${owner.username}/activity`,
  };
  const bare = bareRoute(route);
  const path =
    named[bare] ??
    bare
      .replace(/\[owner\]|\[workspaceSlug\]/, owner.username)
      .replace(/\[project\]|\[projectSlug\]/, project.slug)
      .replace("[slug]", artifact.slug);
  if (path.includes("[")) throw new Error(`${route} has no address here`);
  return path;
}

/** A call of a tool, as a client of before 2026 sends it. */
const whoami = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "whoami", arguments: {} } };
const acceptsBoth = { accept: "application/json, text/event-stream" };
/** The remaining rate of the caller, in an operation's answer. */
const limits: Headers = { ratelimit: /./, "ratelimit-policy": /./ };

/** An event as Stripe sends it, about a customer that is unknown here. */
function signedEvent(): Pick<Send, "body" | "headers"> {
  const object = { object: "customer", id: "cus_nobody" };
  const body = JSON.stringify({ id: "evt_1", object: "event", type: "customer.updated", data: { object } });
  const at = Math.floor(Date.now() / 1000);
  const hmac = new Bun.CryptoHasher("sha256", stripe.environment["STRIPE_WEBHOOK_SECRET"] ?? "");
  return { body, headers: { "stripe-signature": `t=${at},v1=${hmac.update(`${at}.${body}`).digest("hex")}` } };
}

/** The answers of operations that are not JSON. */
const ofMedia: Readonly<Record<string, Headers>> = {
  source: classes.source("md", true),
  events: classes.events,
  thumbnail: classes.thumbnail(true),
  file: classes.file(true),
  archive: classes.archive(true),
  diff: classes.taggedJson,
};

/** Every route of the API outside the registry, as the code registers it, and the class of its answer. */
const apiRoutes: Readonly<
  Record<string, (fixtures: Fixtures) => readonly (readonly [string, Send, Headers, Headers?])[]>
> = {
  'get "/api/openapi.json"': () => [["/api/openapi.json", {}, classes.openApi, { "content-encoding": "gzip" }]],
  'get "/docs/reference"': () => [["/docs/reference", {}, classes.referencePage]],
  'get `${filesAddress("/_content/:ticket")}*`': () => [["/_content/nothing/files/a.png", {}, classes.problem]],
  'get `${filesAddress("/_content/p/:artifactId/:number")}*`': ({ filed }) => [
    [`/_content/p/${filed.artifactId}/1/files/${fileBeside}`, {}, classes.framedFile(true)],
    [`/_content/p/${filed.artifactId}/1/files/nothing.png`, {}, classes.problem],
    [`/_content/p/${filed.artifactId}/1`, { headers: { "sec-fetch-dest": "iframe" } }, classes.sentOn],
  ],
  'get "/_content/e/:artifactId/:number"': ({ filed }) => [
    ["/_content/e/none/1", {}, classes.problem],
    [`/_content/e/${filed.artifactId}/1`, { headers: { "sec-fetch-dest": "iframe" } }, classes.sentOn],
  ],
  'get `${filesAddress("/_content/e/:artifactId/:number")}*`': ({ filed }) => [
    [`/_content/e/${filed.artifactId}/1/files/${fileBeside}`, {}, classes.framedFile(true)],
    [`/_content/e/${filed.artifactId}/1/files/nothing.png`, {}, classes.problem],
  ],
  'get "/llms.txt"': () => [["/llms.txt", {}, classes.guide("text/plain")]],
  'get "/install.sh"': () => [["/install.sh", {}, classes.guide("text/plain")]],
  'get "/cli.tgz"': () => [["/cli.tgz", {}, classes.commandLine]],
  'get "/_cli/SHA256SUMS"': () => [["/_cli/SHA256SUMS", {}, classes.guide("text/plain")]],
  'get "/_cli/:file"': () => [
    ["/_cli/cli.tgz", {}, classes.commandLine],
    ["/_cli/plinth-nothing.gz", {}, classes.problem],
  ],
  'get "/SKILL.md"': () => [["/SKILL.md", {}, classes.guide("text/markdown")]],
  'get "/AGENTS.md"': () => [["/AGENTS.md", {}, classes.guide("text/markdown")]],
  'get "/.well-known/mcp.json"': () => [
    ["/.well-known/mcp.json", {}, { ...classes.json, "cache-control": "no-cache" }],
  ],
  'get "/.well-known/security.txt"': () => [["/.well-known/security.txt", {}, classes.problem]],
  'get "/docs/reference/:file"': () => [
    ["/docs/reference/styles.css", {}, classes.referenceFile],
    ["/docs/reference/start.js", {}, classes.referenceFile],
    ["/docs/reference/scalar.js", {}, classes.referenceFile, { "content-encoding": "gzip" }],
    ["/docs/reference/nothing.js", {}, classes.problem],
  ],
  'all "/mcp"': ({ owner }) => [
    ["/mcp", { method: "GET" }, classes.mcpNotServed],
    ["/mcp", { method: "HEAD" }, classes.mcpNotServed],
    ["/mcp", { method: "DELETE" }, classes.mcpNotServed],
    ["/mcp", { method: "PUT" }, classes.mcpNotServed],
    ["/mcp", { method: "OPTIONS" }, classes.mcpPreflight],
    ["/mcp", { method: "POST" }, { ...classes.challenge, ...classes.mcp }],
    ["/mcp", { method: "POST", body: {}, headers: { origin: "https://elsewhere.example" } }, classes.mcpRefused],
    ["/mcp", { method: "POST", token: owner.token, body: whoami, headers: acceptsBoth }, classes.mcpAnswer, limits],
  ],
  'post "/api/billing/webhook"': () => [
    ["/api/billing/webhook", { method: "POST" }, classes.problem],
    ["/api/billing/webhook", { method: "POST", ...signedEvent() }, classes.json],
  ],
  'get "/metrics"': () => [
    ["/metrics", {}, classes.challenge],
    ["/metrics", { method: "GET", token: metricsToken }, classes.figures],
  ],
  'get "/_images/:key"': () => [["/_images/none", {}, classes.problem]],
  'get "/_packages/:package/*"': () => [["/_packages/none/none.js", {}, classes.problem]],
  'get "/_runtime/:hash/:file"': () => [["/_runtime/none/none.js", {}, classes.problem]],
  'get viewAddress("/_content/:ticket", view)': () => [
    ["/_content/none", {}, classes.problem],
    ["/_content/none/source", {}, classes.problem],
  ],
  'get viewAddress("/_content/p/:artifactId/:number", view)': () => [
    ["/_content/p/none/1", {}, classes.problem],
    ["/_content/p/none/1/source", {}, classes.problem],
  ],
  'get "/_content/welcome/:number"': () => [["/_content/welcome/4", {}, classes.problem]],
  'post "/_content/draft/:ticket"': () => [
    ["/_content/draft/none", { method: "POST" }, classes.problem],
    ["/_content/draft/none", { method: "GET" }, classes.problem],
  ],
  'post `${filesAddress("/_content/draft/:ticket/:filesTicket")}*`': () => [
    ["/_content/draft/none/none/files/", { method: "POST" }, classes.problem],
  ],
  'get `${filesAddress("/_content/draft/:draft/:ticket")}*`': () => [
    ["/_content/draft/none/none/files/a.png", {}, classes.problem],
  ],
  'put "/api/uploads/:ticket"': () => [
    ["/api/uploads/none", { method: "PUT" }, classes.problem],
    ["/api/uploads/none", { method: "GET" }, classes.problem],
  ],
  "get path": () => [
    ["/.well-known/oauth-authorization-server", {}, classes.oauthDocument],
    ["/.well-known/oauth-protected-resource", {}, classes.oauthDocument],
    ["/.well-known/oauth-protected-resource/mcp", {}, classes.oauthDocument],
  ],
  "options path": () => [
    ["/.well-known/oauth-authorization-server", { method: "OPTIONS" }, classes.oauthPreflight],
    ["/api/auth/oauth2/token", { method: "OPTIONS" }, classes.oauthPreflight],
  ],
  "post path": () =>
    ["/api/auth/oauth2/token", "/api/auth/oauth2/revoke", "/api/auth/oauth2/register", "/api/auth/device/code"].map(
      (path) => [path, { method: "POST" }, classes.oauthAnswer] as const,
    ),
  "get oauthPaths.authorize": () => [["/api/auth/oauth2/authorize", {}, classes.sentOn]],
  "all `${authBasePath}/*`": ({ strangerSession }) => [
    ["/api/auth/nothing", {}, classes.problem],
    [
      "/api/auth/sign-out",
      { method: "POST", token: strangerSession },
      classes.nothing,
      { "x-content-type-options": "nosniff", "set-cookie": /HttpOnly/ },
    ],
  ],
  "post `${authBasePath}/share-grant`": ({ shareToken }) => [
    ["/api/auth/share-grant", { method: "POST" }, classes.problem],
    [
      "/api/auth/share-grant",
      { method: "POST", headers: { "x-share-token": shareToken } },
      { ...classes.json, "content-type": /^application\/json/ },
      { "set-cookie": /HttpOnly/ },
    ],
  ],
};

test("every route that the API registers beside its operations is in the list", async () => {
  const found = new Set<string>();
  for await (const file of new Bun.Glob("**/*.ts").scan({ cwd: join(repository, "api"), followSymlinks: false })) {
    if (file.startsWith("node_modules/")) continue;
    const text = await Bun.file(join(repository, "api", file)).text();
    if (/\.test\.ts$|(?:^|\/)test\//.test(file) || !text.includes('"elysia"')) continue;
    for (const [, method = "", address = ""] of text.matchAll(
      /\.(get|post|put|patch|delete|all|options|head|route|ws|mount)\(\s*((?:"[^"]*"|`[^`]*`|[\w.]+(?:\([^)]*\))?)),/g,
    ))
      found.add(`${method} ${address}`);
  }
  found.delete("route op.method");
  expect([...found].toSorted()).toEqual(Object.keys(apiRoutes).toSorted());
});

for (const kind of kinds) {
  const here = () => placeOf(kind);
  const faults: string[] = [];
  const check = (what: string, answer: Answer, expected: Headers, also?: Headers) => {
    faults.push(...faultsOf(answer, expected, also).map((fault) => `${what} (${answer.status}): ${fault}`));
  };
  const none = () => expect(faults.splice(0)).toEqual([]);

  test(`${kind}: every operation, done and refused`, async () => {
    const { fixtures, instance } = here();
    for (const op of operations) {
      const path = op.path.replaceAll(/:\w+/g, "nothing");
      const body = op.method === "GET" || op.method === "DELETE" ? {} : { body: {} };
      const refused = await send(instance.origin + path, { method: op.method, ...body });
      if (refused.status >= 400)
        check(`${op.name}, refused`, refused, refused.status === 401 ? classes.challenge : classes.problem);
      // There is no job to retry: the refusal above has the same class.
      if (op.name === "operator.retryJob") continue;
      const done = await call(fixtures, op, await rightToken(fixtures, op));
      const ofOutput = ofMedia[op.media ?? ""] ?? (op.etag ? classes.taggedJson : classes.json);
      const expected = done.status === 204 ? classes.nothing : ofOutput;
      if (done.status >= 400) faults.push(`${op.name} answered ${done.status}`);
      check(op.name, done, expected, op.media === "diff" ? { vary: "accept" } : {});
    }
    const { artifactId } = fixtures.artifact;
    const compared = await send(`${instance.origin}/api/artifacts/${artifactId}/diff?from=1&to=2`, {
      headers: { accept: "text/x-diff" },
    });
    check("a unified diff", compared, classes.diff);
    none();
  });

  test(`${kind}: what the API has beside its operations, by every method`, async () => {
    const { fixtures, instance } = here();
    for (const [route, asked] of Object.entries(apiRoutes))
      for (const [path, init, expected, also] of asked(fixtures)) {
        const answer = await send(instance.origin + path, init);
        check(`${route} ${path}`, answer, expected, also);
        if (init.method !== undefined) continue;
        const head = await send(instance.origin + path, { method: "HEAD" });
        check(`HEAD ${path}`, head, expected, also);
        check(`DELETE ${path}`, await send(instance.origin + path, { method: "DELETE" }), classes.problem);
      }
    const nowhere = `
      /api /api/ /api/nothing /mcp/nothing /_content/ /_images/ /_packages/ /_runtime/ /.well-known/nothing
      /docs/reference/a/b/c`;
    for (const path of nowhere.trim().split(/\s+/))
      for (const method of ["GET", "HEAD", "OPTIONS", "POST", "PUT"])
        check(`${method} ${path}`, await send(instance.origin + path, { method }), classes.problem);
    none();
  });

  test(`${kind}: every page, to its owner and signed out`, async () => {
    const { fixtures, instance, content } = here();
    for (const route of pageRoutes) {
      const path = addressOf(route, fixtures);
      for (const token of [fixtures.session, undefined]) {
        const signed = token === undefined ? {} : { token };
        const answer = await send(instance.origin + path, { ...asPage, ...signed });
        if (![200, 303, 307, 404, 405].includes(answer.status)) faults.push(`${path} answered ${answer.status}`);
        const isReady = route === docsRoute || (route === "/[owner]/[project]/[slug]" && token === undefined);
        const also = {
          ...ofPages,
          ...(route.includes("/share/") && { "set-cookie": /HttpOnly/ }),
          ...(isReady && classes.readyPage),
        };
        const ofFile = fileRoutes[route];
        if (ofFile !== undefined) {
          expect([path, answer.status]).toEqual([path, 200]);
          check(path, answer, ofFile);
          continue;
        }
        check(path, answer, classes.page(kindOfRoute(route)), also);
        const isPage = answer.headers.get("content-type")?.startsWith("text/html") ?? false;
        const inline = isReady ? "'sha256-'" : "'nonce-'";
        const own = isPage ? classes.pagePolicy(instance.origin, content, inline) : classes.barePolicy(content);
        const leads = bareRoute(route) === "/settings/billing";
        const policy = {
          ...own,
          ...(leads ? classes.formsOfBilling(stripe.environment["STRIPE_API_BASE"] ?? "") : {}),
          ...(draftRoutes.has(bareRoute(route)) ? classes.formsOfDrafts(content) : {}),
        };
        expect({ path, ...named(answer) }).toEqual({ path, ...sorted(policy) });
      }
      for (const method of ["HEAD", "OPTIONS"])
        check(
          `${method} ${path}`,
          await send(instance.origin + path, { method, ...asPage }),
          (method === "HEAD" ? fileRoutes[route] : undefined) ?? classes.page(kindOfRoute(route)),
          {
            ...ofPages,
            "content-type": /^(?:text\/html|application\/(?:json|octet-stream))/,
            "set-cookie": /HttpOnly/,
            ...(route === docsRoute && classes.readyPage),
          },
        );
    }
    none();
  });

  test(`${kind}: pages that are not there, and requests that no page takes`, async () => {
    const { instance } = here();
    for (const path of ["/nothing", "/nothing/at/all", "/a/b/c/d/e", "/favicon.ico", "/__data.json"])
      check(path, await send(instance.origin + path, asPage), classes.page("plain"), ofPages);
    for (const path of ["/_app/nothing", "/_app/immutable/nothing.js", "/_app/immutable/"])
      check(path, await send(instance.origin + path), classes.page("own"), ofRefusals);
    for (const path of ["/", "/login", "/nothing", "/_app/version.json"])
      for (const method of ["POST", "PUT", "DELETE", "PATCH"])
        check(
          `${method} ${path}`,
          await send(instance.origin + path, { method }),
          { ...classes.page("own"), "cache-control": /^private, no-/ },
          { ...ofPages, ...ofRefusals, "content-type": /./ },
        );
    none();
  });

  test(`${kind}: every built file of the web app and of the runtime`, async () => {
    const { instance, content, fixtures } = here();
    const folder = join(repository, "web/build/client");
    const files = await Array.fromAsync(new Bun.Glob("**/*").scan({ cwd: folder, dot: true }));
    for (const file of files.filter((name) => !/\.(?:br|gz)$/.test(name)))
      check(file, await send(`${instance.origin}/${file}`), classes.clientFile(file.includes("/immutable/")), coded);
    const runtime = await runtimeOf(fixtures, content);
    for (const file of await runtimeFiles()) check(file, await send(runtime + file), classes.runtimeFile, coded);
    none();
  });

  test(`${kind}: content of every type, by ticket and for all, and its source`, async () => {
    const { instance, content, fixtures } = here();
    const runtime = await runtimeOf(fixtures, content);
    for (const type of types)
      for (const publicView of [true, false]) {
        const access = { publicView, publicEdit: false };
        const { artifactId, url } = await createArtifact(fixtures.owner, fixtures.project.slug, {
          type,
          content: sources[type],
          access,
        });
        const address = publicView
          ? `${content}/_content/p/${artifactId}/1`
          : (await fixtures.owner.client.call("artifact.ticket", { artifactId })).url;
        expect(new URL(address).origin).toBe(content);
        for (const view of ["document", "source"] as const) {
          const framed = view === "source" ? "md" : type;
          const answer = await send(viewAddress(address, view), { headers: { "sec-fetch-dest": "iframe" } });
          expect(answer.status).toBe(200);
          check(`${type} ${view}`, answer, classes.content(framed, runtime, publicView, viewAddress(address, view)));
          expect(named(answer)).toEqual(sorted(classes.contentPolicy(framed, instance.origin, runtime)));
          if (publicView && view === "document") {
            const embedded = address.replace("/_content/p/", "/_content/e/");
            const any = await send(embedded, { headers: { "sec-fetch-dest": "iframe" } });
            check(`${type} embedded`, any, classes.content(framed, runtime, true, embedded));
            const { "frame-ancestors": _, ...policy } = classes.contentPolicy(framed, instance.origin, runtime);
            expect(named(any)).toEqual(sorted(policy));
            const headers = { "if-none-match": any.headers.get("etag") ?? "", "sec-fetch-dest": "iframe" };
            const held = await send(embedded, { headers });
            const ofEmbedded = classes.content(framed, runtime, true, embedded);
            const { "content-type": __, "content-encoding": ___, ...kept } = ofEmbedded;
            expect(held.status).toBe(304);
            check(
              `${type} embedded, held`,
              held,
              { ...kept, etag: /^(?:W\/)?"[\w-]{27}"$/ },
              { "content-encoding": "br" },
            );
          }
          const opened = await send(viewAddress(address, view), { headers: { "sec-fetch-dest": "document" } });
          check(`${type} ${view} opened`, opened, classes.sentOn);
          expect(new URL(opened.headers.get("location") ?? "").pathname).toBe(new URL(url).pathname);
        }
        if (!publicView) {
          const draft = await fixtures.owner.client.call("artifact.draftTicket", { artifactId });
          expect(new URL(draft.url).origin).toBe(content);
          const drafted = await send(draft.url, {
            method: "POST",
            body: new URLSearchParams({ content: sources[type] }).toString(),
            headers: {
              "content-type": "application/x-www-form-urlencoded",
              origin: instance.origin,
              "sec-fetch-dest": "iframe",
            },
          });
          expect(drafted.status).toBe(200);
          check(`${type} draft`, drafted, classes.content(type, runtime, false, null));
          expect(named(drafted)).toEqual(sorted(classes.contentPolicy(type, instance.origin, runtime)));
        }
        const raw = await send(`${instance.origin}/api/artifacts/${artifactId}/content`, {
          token: fixtures.owner.token,
        });
        check(`${type} raw`, raw, classes.source(type, publicView));
        expect(raw.text).toBe(sources[type]);
        expect(raw.headers.get("x-artifact-id")).toBe(artifactId);
      }
    none();
  });
}

for (const kind of kinds)
  test(`${kind}: the embed page, held, moved, of what is private or missing`, async () => {
    const { content, fixtures, instance } = placeOf(kind);
    const access = { publicView: false, publicEdit: false };
    const hidden = await createArtifact(fixtures.owner, fixtures.project.slug, { access });
    const moved = await createArtifact(fixtures.owner, fixtures.project.slug);
    await fixtures.owner.client.call("artifact.patch", { artifactId: moved.artifactId, slug: `${moved.slug}-moved` });
    const of = ({ url }: { readonly url: string }) => url.replace(instance.origin, `${instance.origin}/embed`);
    const shown = await send(of(fixtures.artifact), asPage);
    expect([shown.status, faultsOf(shown, classes.embedPage, coded)]).toEqual([200, []]);
    expect(named(shown)).toEqual(sorted(classes.embedPolicy(content)));
    for (const headers of [{ "if-none-match": shown.headers.get("etag") ?? "" }, { "if-none-match": "*" }]) {
      const held = await send(of(fixtures.artifact), { headers: { ...asPage.headers, ...headers } });
      expect([held.status, held.text, faultsOf(held, classes.embedPage)]).toEqual([304, "", []]);
    }
    const away = await send(of(moved), asPage);
    expect([away.status, faultsOf(away, classes.embedMoved)]).toEqual([308, []]);
    const refused = [];
    for (const token of [undefined, fixtures.session, fixtures.strangerSession])
      for (const url of [
        of(hidden),
        `${of(hidden)}?v=1`,
        `${of(fixtures.artifact)}-missing`,
        `${of(fixtures.artifact)}?v=99`,
      ]) {
        const answer = await send(url, { ...asPage, ...(token === undefined ? {} : { token }) });
        expect([answer.status, faultsOf(answer, classes.embedRefusal)]).toEqual([404, []]);
        expect(named(answer)).toEqual(sorted(classes.embedRefusalPolicy));
        refused.push(answer.text);
      }
    expect(new Set(refused).size).toBe(1);
  });

test("an answer with an ETag is 304 to the caller that holds it", async () => {
  const { instance, fixtures } = placeOf("one origin");
  const address = `${instance.origin}/api/artifacts/${fixtures.artifact.artifactId}`;
  const etag = (await send(address)).headers.get("etag");
  const again = await send(address, { headers: { "if-none-match": etag ?? "" } });
  expect([again.status, again.text, again.headers.get("etag")]).toEqual([304, "", etag]);
});

test("a separate content host serves content and runtime, and nothing else", async () => {
  const { content, fixtures, instance } = placeOf("a content origin");
  const ofApp = `
    / /login /settings /favicon.svg /_app/version.json /api/health /api/openapi.json /docs /docs/reference
    /llms.txt /SKILL.md /AGENTS.md /install.sh /cli.tgz /_cli/SHA256SUMS /mcp
    /.well-known/oauth-authorization-server`;
  const paths = [
    ...ofApp.trim().split(/\s+/),
    new URL(fixtures.artifact.url).pathname,
    "/share/x",
    "/_contents/x",
    "/_content",
    ...pageRoutes.map((route) => addressOf(route, fixtures)),
  ];
  for (const path of paths)
    for (const method of ["GET", "POST"]) {
      const answer = await send(content + path, { method });
      expect([path, answer.status, faultsOf(answer, classes.problem)]).toEqual([path, 404, []]);
    }
  expect((await send(`${instance.origin}/api/health`)).status).toBe(200);
});

const sorted = (policy: Readonly<Record<string, readonly string[]>>) =>
  Object.fromEntries(Object.entries(policy).map(([name, values]) => [name, values.toSorted()]));

/**
 * The address of the runtime's folder, with a slash at the end. The second version has no file beside it, with which a document
 * is sent on to its folder.
 */
async function runtimeOf({ artifact }: Fixtures, content: string): Promise<string> {
  const { text } = await send(`${content}/_content/p/${artifact.artifactId}/2`, {
    headers: { "sec-fetch-dest": "iframe" },
  });
  const path = /\/_runtime\/\w+\//.exec(text)?.[0];
  if (path === undefined) throw new Error("a markdown document names no runtime");
  return content + path;
}

const runtimeFiles = async (): Promise<string[]> =>
  (await Array.fromAsync(new Bun.Glob("*/*").scan(join(repository, "runtime/dist"))))
    .map((path) => path.slice(path.indexOf("/") + 1))
    // Gzipped copies have no URL.
    .filter((name) => !name.endsWith(".gz"))
    .toSorted();
