import { describe, expect, test } from "bun:test";
import { type ContentHeaderOptions, contentHeaders, contentNonce, permissionsPolicy } from "./content-headers.ts";
import { rawContentHeaders } from "./raw-content-headers.ts";

const APP = "https://app.example";
const CONTENT = "https://content.example";
const CDN = "https://cdn.example";

function options(type: ContentHeaderOptions["type"], more: Partial<ContentHeaderOptions> = {}): ContentHeaderOptions {
  return {
    type,
    nonce: "bm9uY2U",
    appOrigin: APP,
    contentOrigin: CONTENT,
    runtimePath: "/_runtime/abc/",
    cdnAllowlist: [],
    publicSteady: false,
    ownUrl: null,
    ...more,
  };
}

const RUNTIME = `${CONTENT}/_runtime/abc/`;
const DATABASE = `${RUNTIME}memory-database.js`;
const ACTIVE = "allow-scripts allow-forms allow-modals allow-pointer-lock";
const lastOf = (connections: string): string =>
  `media-src data: blob:; connect-src ${connections}; worker-src blob:; child-src blob:; frame-src 'none'; ` +
  `object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors ${APP}`;
const LAST = lastOf("data: blob:");

function expected(policy: string, allowlist: string, type: ContentHeaderOptions["type"] = "html") {
  return {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policy,
    "connection-allowlist": allowlist,
    "permissions-policy": permissionsPolicy(type),
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-dns-prefetch-control": "off",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "private, no-store",
  };
}

describe("contentHeaders", () => {
  test("a document can load itself again at its own address, and nothing else more", () => {
    const usual = contentHeaders(options("html"));
    const addressed = contentHeaders(options("html", { ownUrl: `${CONTENT}/_content/p/art_1/2` }));
    expect(addressed).toEqual({
      ...usual,
      "connection-allowlist": `("${RUNTIME}*" "${CONTENT}/_content/p/art_1/2");webrtc=block`,
    });
  });

  test("what a URL pattern reads otherwise is escaped in the own address, and its query is left out", () => {
    const own = `${CONTENT}/_content/t/files/a(b)*+:c/{}/?x=*#y`;
    expect(contentHeaders(options("html", { ownUrl: own }))["connection-allowlist"]).toBe(
      String.raw`("${RUNTIME}*" "${CONTENT}/_content/t/files/a\\(b\\)\\*\\+\\:c/%7B%7D/");webrtc=block`,
    );
  });

  test("html: its own inline scripts, nothing from anywhere", () => {
    expect(contentHeaders(options("html"))).toEqual(
      expected(
        `sandbox ${ACTIVE}; default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval' data: blob: ${DATABASE}; ` +
          `style-src 'unsafe-inline' data:; img-src data: blob:; font-src data:; ${LAST}`,
        `("${RUNTIME}*");webrtc=block`,
      ),
    );
  });

  test("html with an allowed CDN", () => {
    expect(contentHeaders(options("html", { cdnAllowlist: [CDN] }))).toEqual(
      expected(
        `sandbox ${ACTIVE}; default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval' data: blob: ${DATABASE} ` +
          `${CDN}; style-src 'unsafe-inline' data: ${CDN}; img-src data: blob: ${CDN}; font-src data: ${CDN}; ${LAST}`,
        `("${RUNTIME}*" "${CDN}");webrtc=block`,
      ),
    );
  });

  test("jsx: the runtime and the nonce are the only scripts", () => {
    expect(contentHeaders(options("jsx"))).toEqual(
      expected(
        `sandbox ${ACTIVE}; default-src 'none'; script-src ${RUNTIME} 'nonce-bm9uY2U'; ` +
          `style-src 'unsafe-inline' ${RUNTIME}; img-src data: blob:; font-src data: ${RUNTIME}; ${LAST}`,
        `("${RUNTIME}*");webrtc=block`,
      ),
    );
  });

  test("md: the runtime is the only script, images are its own data", () => {
    expect(contentHeaders(options("md"))).toEqual(
      expected(
        "sandbox allow-scripts; default-src 'none'; " +
          `script-src ${RUNTIME}; style-src 'unsafe-inline' ${RUNTIME}; img-src data:; ` +
          `font-src data: ${RUNTIME}; ${lastOf("'none'")}`,
        `("${RUNTIME}*");webrtc=block`,
        "md",
      ),
    );
  });

  test("md with files: they join the images and media, and no script, style, font or connection", () => {
    const filesUrl = `${CONTENT}/_content/p/art_1/2/files/`;
    const directives = (more: Partial<ContentHeaderOptions>) =>
      (contentHeaders(options("md", more))["content-security-policy"] ?? "").split("; ");
    const [without, withFiles] = [directives({}), directives({ filesUrl })];
    expect(withFiles.filter((directive) => !without.includes(directive))).toEqual([
      `img-src data: ${filesUrl}`,
      `media-src data: blob: ${filesUrl}`,
    ]);
    expect(withFiles).toHaveLength(without.length);
  });

  test.each(["md", "html", "jsx"] as const)(
    "%s for the pages of any site: the same but for the pages around it",
    (type) => {
      const [own, any] = [contentHeaders(options(type)), contentHeaders(options(type, { isEmbedded: true }))];
      const policy = own["content-security-policy"]?.replace(`; frame-ancestors ${APP}`, "") ?? "";
      expect(any).toEqual({ ...own, "content-security-policy": policy });
      expect(policy).not.toContain("frame-ancestors");
    },
  );

  test("only the steady address with an ETag may be cached, and asks each time", () => {
    const steady = contentHeaders(options("md", { publicSteady: true, etag: '"v1"' }));
    expect(steady).toMatchObject({ "cache-control": "public, no-cache", etag: '"v1"' });
    expect(contentHeaders(options("md", { publicSteady: true }))["cache-control"]).toBe("private, no-store");
    const ticketed = contentHeaders(options("md", { etag: '"v1"' }));
    expect(ticketed["cache-control"]).toBe("private, no-store");
    expect(ticketed).not.toHaveProperty("etag");
  });

  test.each(["md", "html", "jsx"] as const)("%s never gets out of its sandbox", (type) => {
    const policy = contentHeaders(options(type, { cdnAllowlist: [CDN] }))["content-security-policy"];
    expect(policy).not.toMatch(/allow-same-origin|allow-popups|allow-top-navigation|allow-downloads|'self'|\*/);
    if (type !== "html") expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline/);
  });

  test("refuses an address that would change the policy", () => {
    for (const bad of [
      "https://a.example/",
      "https://a.example; script-src *",
      "https://a.example https://b.example",
    ]) {
      expect(() => contentHeaders(options("html", { cdnAllowlist: [bad] }))).toThrow();
      expect(() => contentHeaders(options("html", { appOrigin: bad }))).toThrow();
    }
  });

  test("every feature is denied, but full screen and gamepads to documents with scripts", () => {
    const denied = (type: ContentHeaderOptions["type"]) =>
      permissionsPolicy(type)
        .split(", ")
        .filter((one) => one.endsWith("=()"));
    const others = (type: ContentHeaderOptions["type"]) =>
      permissionsPolicy(type)
        .split(", ")
        .filter((one) => !one.endsWith("=()"));
    for (const type of ["md", "html", "jsx"] as const)
      for (const feature of ["camera", "geolocation", "clipboard-read", "payment", "usb"])
        expect(denied(type)).toContain(`${feature}=()`);
    expect([others("md"), others("html"), others("jsx")]).toEqual([
      [],
      ["fullscreen=*", "gamepad=*"],
      ["fullscreen=*", "gamepad=*"],
    ]);
    expect(denied("md")).toContain("fullscreen=()");
  });

  test("no feature that Chromium does not know is named, which it would log for each reader", () => {
    expect(permissionsPolicy("html")).not.toMatch(
      /attribution-reporting|bluetooth|ad-auction|ad-interest|shared-storage|web-share|writer/,
    );
  });
});

test("a nonce is random for a ticket and steady for an ETag", () => {
  expect(contentNonce()).toMatch(/^[\w+/]{24}$/);
  expect(contentNonce()).not.toBe(contentNonce());
  expect(contentNonce('"a"')).toMatch(/^[\w+/]{24}$/);
  expect(contentNonce('"a"')).toBe(contentNonce('"a"'));
  expect(contentNonce('"a"')).not.toBe(contentNonce('"b"'));
});

describe("rawContentHeaders", () => {
  test.each([
    ["md", "text/markdown; charset=utf-8"],
    ["html", "text/html; charset=utf-8"],
    ["jsx", "text/plain; charset=utf-8"],
  ] as const)("%s", (type, contentType) => {
    expect(rawContentHeaders(type, "notes.txt")).toEqual({
      "content-type": contentType,
      "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
      "connection-allowlist": "();webrtc=block",
      "x-dns-prefetch-control": "off",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
      "content-disposition": "inline; filename*=UTF-8''notes.txt",
    });
  });

  test("any file name makes a valid header", () => {
    const name = (fileName: string) => rawContentHeaders("md", fileName)["content-disposition"];
    expect(name("a b'(c)*.md")).toBe("inline; filename*=UTF-8''a%20b%27%28c%29%2A.md");
    expect(name('é"\r\nset-cookie: x\u0000.md')).toBe(
      "inline; filename*=UTF-8''%C3%A9%22%0D%0Aset-cookie%3A%20x%00.md",
    );
    expect(name("\ud800")).toBe("inline; filename*=UTF-8''%EF%BF%BD");
    expect(() => new Headers(rawContentHeaders("md", "日本\n語"))).not.toThrow();
  });
});
