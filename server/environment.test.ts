import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "bun:test";

import { readEnvironment } from "./environment.ts";

test("nothing said is an instance for this machine alone", () => {
  expect(readEnvironment({})).toMatchObject({
    port: 3000,
    host: "127.0.0.1",
    publicUrl: "http://localhost:3000",
    contentOrigin: "http://localhost:3000",
    defaultPlan: "team",
    maxContentBytes: 16 * 1024 * 1024,
    renderWaitMs: 1000,
    rateLimits: { reads: 1200, writes: 240 },
  });
  const { trustedProxies } = readEnvironment({ TRUSTED_PROXIES: "192.0.2.1, 10.0.0.0/8" });
  expect(["192.0.2.1", "10.1.2.3", "192.0.2.2"].map((address) => trustedProxies.has(address))).toEqual([
    true,
    true,
    false,
  ]);
  expect(readEnvironment({}).allowedHosts).toEqual([]);
  expect(readEnvironment({ ALLOWED_HOSTS: "Plinth.internal, 10.0.0.5 [::1]" }).allowedHosts).toEqual([
    "plinth.internal",
    "10.0.0.5",
    "[::1]",
  ]);
  expect(readEnvironment({ RATE_LIMIT_READS: "0", PORT: " 80 " })).toMatchObject({
    port: 80,
    rateLimits: { reads: 0 },
  });
});

test("the registry of packages is npm's unless another is named or it is turned off", () => {
  const registryOf = (value?: string) => readEnvironment({ PACKAGE_REGISTRY: value }).packageRegistry;
  expect([registryOf(), registryOf("off"), registryOf("https://npm.example/api/npm/")]).toEqual([
    "https://registry.npmjs.org",
    null,
    "https://npm.example/api/npm",
  ]);
});

test("remote images are fetched unless they are turned off", () => {
  const isOn = (value?: string) => readEnvironment({ REMOTE_IMAGES: value }).remoteImages;
  expect([isOn(), isOn("on"), isOn("off")]).toEqual([true, true, false]);
});

test("the contact of security.txt is a URI, or an address of email", () => {
  const contact = (value?: string) => readEnvironment({ SECURITY_CONTACT: value }).securityContact;
  expect(contact()).toBeNull();
  expect(contact("security@example.org")).toBe("mailto:security@example.org");
  for (const uri of ["mailto:security@example.org", "https://example.org/report"]) expect(contact(uri)).toBe(uri);
});

test("the site has the name, paragraph and logo that are given", () => {
  const folder = mkdtempSync(join(tmpdir(), "plinth-site-"));
  const logo = join(folder, "logo.svg");
  writeFileSync(logo, "<svg/>");
  const read = (variables: Record<string, string>) => readEnvironment(variables).site;
  expect(read({})).toEqual({});
  expect(read({ SITE_NAME: " Acme Papers ", SITE_ABOUT: "Reports." })).toEqual({
    name: "Acme Papers",
    about: "Reports.",
  });
  expect(read({ SITE_LOGO: logo })).toEqual({
    logo: { type: "image/svg+xml", body: new TextEncoder().encode("<svg/>") },
  });
  expect(
    readEnvironment(
      { DATABASE_URL: "postgres://u:p@db/plinth", SECRET: "s".repeat(16), SITE_LOGO: "/nowhere/logo.svg" },
      "worker",
    ).site,
  ).toEqual({});
  writeFileSync(logo, "x".repeat(64 * 1024 + 1));
  expect(() => read({ SITE_LOGO: logo })).toThrow("SITE_LOGO");
  rmSync(folder, { recursive: true });
});

test("a wrong value is one line that names its variable", () => {
  for (const [name, value] of [
    ["PORT", "0"],
    ["PORT", "65536"],
    ["PORT", "1e3"],
    ["PUBLIC_URL", "plinth.example"],
    ["PUBLIC_URL", "https://plinth.example/path"],
    ["PUBLIC_URL", "https://user:secret@plinth.example"],
    ["PUBLIC_URL", "javascript:alert(1)"],
    ["CONTENT_ORIGIN", "https://x; script-src *"],
    ["HTML_CDN_ALLOWLIST", "https://cdn.example 'unsafe-eval'"],
    ["REMOTE_IMAGES", "no"],
    ["PACKAGE_REGISTRY", "registry.example"],
    ["PACKAGE_REGISTRY", "file:///packages"],
    ["PACKAGE_REGISTRY", "https://user:secret@registry.example"],
    ["MCP_ALLOWED_ORIGINS", "https://client.example/page"],
    ["SITE_NAME", "a".repeat(41)],
    ["SITE_NAME", "two\nlines"],
    ["SITE_ABOUT", "a".repeat(401)],
    ["SITE_LOGO", "/nowhere/logo.svg"],
    ["SITE_LOGO", "/etc/hosts"],
    ["SECURITY_CONTACT", "security"],
    ["SECURITY_CONTACT", "http://plinth.example/security"],
    ["ALLOWED_HOSTS", "plinth.internal:3000"],
    ["ALLOWED_HOSTS", "https://plinth.internal"],
    ["ALLOWED_HOSTS", "*"],
    ["MAX_CONTENT_BYTES", "999999999"],
    ["RATE_LIMIT_WRITES", "-1"],
    ["RENDER_WAIT_MS", "60001"],
    ["DEFAULT_PLAN", "gold"],
    ["SMTP_URL", "mail.example.com:25"],
    ["SMTP_URL", "https://mail.example.com"],
    ["SMTP_URL", "smtp://"],
    ["SMTP_URL", "secret"],
    ["OWNER_EMAIL", "ada"],
    ["OWNER_EMAIL", "\u212Aim@example.org"],
    ["HOST", "0.0.0.0"],
    ["HOST", "::"],
    ["HOST", "plinth.example"],
    ["TRUSTED_PROXIES", "proxy"],
    ["TRUSTED_PROXIES", "0.0.0.0/0"],
    ["API_ORIGIN", "http://api:3000/api"],
    ["REDIS_URL", "redis.example.com:6379"],
  ] as const) {
    expect(() => readEnvironment({ [name]: value })).toThrow(new RegExp(`^${name} must be [^\n]*$`));
  }
});

const bucket = {
  CONTENT_STORE: "s3://plinth-contents/production",
  S3_ACCESS_KEY_ID: "key-of-it",
  S3_SECRET_ACCESS_KEY: "secret-of-it",
};

test("contents are in the database unless a bucket is named, with its credentials", () => {
  const storeOf = (more: Record<string, string>) => readEnvironment({ ...bucket, ...more }).objectStore;
  expect([readEnvironment({}).objectStore, storeOf({ CONTENT_STORE: "database" })]).toEqual([null, null]);
  expect(storeOf({})).toEqual({
    bucket: "plinth-contents",
    prefix: "production/",
    endpoint: null,
    region: "us-east-1",
    accessKeyId: "key-of-it",
    secretAccessKey: "secret-of-it",
    sessionToken: null,
    isReadOnly: false,
  });
  expect(
    storeOf({
      CONTENT_STORE: "s3://b.ucket//a//b/",
      CONTENT_STORE_READ_ONLY: "on",
      S3_ENDPOINT: "https://s3.example.com:9000",
      S3_REGION: "eu-central-1",
      S3_SESSION_TOKEN: "token",
    }),
  ).toMatchObject({
    bucket: "b.ucket",
    prefix: "a/b/",
    endpoint: "https://s3.example.com:9000",
    region: "eu-central-1",
    sessionToken: "token",
    isReadOnly: true,
  });
  expect(storeOf({ CONTENT_STORE: "s3://bucket" })?.prefix).toBe("");
});

test("a wrong setting of object storage is one line that names its variable and no secret", () => {
  for (const [name, value] of [
    ["CONTENT_STORE", "secret-of-it"],
    ["CONTENT_STORE", "s3://"],
    ["CONTENT_STORE", "s3://ab"],
    ["CONTENT_STORE", "s3://Bucket"],
    ["CONTENT_STORE", "s3://key:secret-of-it@bucket"],
    ["CONTENT_STORE", "s3://bucket/../other"],
    ["CONTENT_STORE", "s3://bucket/a b"],
    ["CONTENT_STORE", "https://s3.example.com/bucket"],
    ["CONTENT_STORE_READ_ONLY", "yes"],
    ["S3_ENDPOINT", "s3.example.com"],
    ["S3_ENDPOINT", "https://s3.example.com/bucket"],
    ["S3_ENDPOINT", "https://key:secret-of-it@s3.example.com"],
    ["S3_REGION", "secret-of-it/+"],
    ["S3_ACCESS_KEY_ID", ""],
    ["S3_SECRET_ACCESS_KEY", " "],
  ] as const)
    expect(() => readEnvironment({ ...bucket, [name]: value })).toThrow(
      new RegExp(`^${name} must be (?!.*secret-of-it)[^\n]*$`),
    );
  expect(() => readEnvironment({ CONTENT_STORE_READ_ONLY: "on" })).toThrow(/^CONTENT_STORE must be [^\n]*$/);
});

test("mail goes out where both the server and the sender are said, and their values are never repeated", () => {
  const SMTP_URL = "smtps://plinth:secret@mail.example.com:465";
  const named = { DATABASE_URL: "postgres://db/plinth", SECRET: "s".repeat(16), SMTP_URL, MAIL_FROM: "a@example.com" };
  expect(readEnvironment({ ...named, SITE_NAME: "Acme Papers" }, "worker").mail?.siteName).toBe("Acme Papers");
  expect(readEnvironment({}).mail).toBeNull();
  for (const MAIL_FROM of ["plinth@example.com", "Plinth <plinth@example.com>", "Ünsere Instanz <p@example.com>"])
    expect(readEnvironment({ SMTP_URL, MAIL_FROM }).mail).toEqual({ url: SMTP_URL, from: MAIL_FROM });
  for (const MAIL_FROM of [undefined, "Plinth", "a@b, c@d", "<a@b", "A\nBcc: c@d <a@b>", "secret"]) {
    const given = MAIL_FROM === undefined ? { SMTP_URL } : { SMTP_URL, MAIL_FROM };
    expect(() => readEnvironment(given)).toThrow(/^MAIL_FROM must be (?!.*secret)[^\n]*$/);
  }
  expect(() => readEnvironment({ MAIL_FROM: "plinth@example.com" })).toThrow(/^SMTP_URL must be [^\n]*$/);
});

const oidc = {
  OIDC_ISSUER: "https://login.example.org",
  OIDC_CLIENT_ID: "plinth",
  OIDC_CLIENT_SECRET: "secret",
};

test("EMAIL_SIGN_IN: sign-in links by email require a mail server, and open the port to other machines", () => {
  const mail = { SMTP_URL: "smtp://mail.example.com", MAIL_FROM: "plinth@example.com" };
  expect(readEnvironment({ ...mail, EMAIL_SIGN_IN: "1", HOST: "0.0.0.0" }).identity.emailSignIn).toBe(true);
  for (const EMAIL_SIGN_IN of ["", "0"])
    expect(readEnvironment({ ...mail, EMAIL_SIGN_IN }).identity.emailSignIn).toBeUndefined();
  expect(() => readEnvironment({ ...mail, EMAIL_SIGN_IN: "yes" })).toThrow(/^EMAIL_SIGN_IN must be [^\n]*$/);
  expect(() => readEnvironment({ EMAIL_SIGN_IN: "1" })).toThrow(/^SMTP_URL must be set where EMAIL_SIGN_IN is$/);
  expect(() => readEnvironment({ ...mail, HOST: "0.0.0.0" })).toThrow(/^HOST must be [^\n]*EMAIL_SIGN_IN/);
});

test("identity providers, each whole or not at all", () => {
  expect(readEnvironment({}).identity).toEqual({ providers: [], ownerEmail: null });
  const all = {
    ...oidc,
    GITHUB_CLIENT_ID: "a",
    GITHUB_CLIENT_SECRET: "b",
    GOOGLE_CLIENT_ID: "c",
    GOOGLE_CLIENT_SECRET: "d",
  };
  const { providers, ownerEmail } = readEnvironment({ ...all, OWNER_EMAIL: "ada@example.org" }).identity;
  expect(ownerEmail).toBe("ada@example.org");
  expect(providers).toMatchObject([
    { kind: "oidc", id: "oidc", name: "login.example.org", issuer: "https://login.example.org", clientId: "plinth" },
    { kind: "github", id: "github", name: "GitHub", clientId: "a", clientSecret: "b" },
    { kind: "oidc", id: "google", name: "Google", issuer: "https://accounts.google.com", clientSecret: "d" },
  ]);
  expect(readEnvironment({ ...oidc, OIDC_NAME: "Example" }).identity.providers[0]?.name).toBe("Example");
  for (const missing of ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"])
    expect(() => readEnvironment({ ...oidc, [missing]: " " })).toThrow(
      new RegExp(`^${missing} must be set where OIDC_`),
    );
  for (const [given, missing] of [
    ["GITHUB_CLIENT_ID", "GITHUB_CLIENT_SECRET"],
    ["GITHUB_CLIENT_SECRET", "GITHUB_CLIENT_ID"],
    ["GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET"],
    ["OIDC_NAME", "OIDC_ISSUER"],
  ] as const)
    expect(() => readEnvironment({ [given]: "x" })).toThrow(`${missing} must be set where ${given} is`);
});

test("an issuer must be an https address, or an http address on this machine", () => {
  const issuerOf = (OIDC_ISSUER: string) => readEnvironment({ ...oidc, OIDC_ISSUER }).identity.providers.length;
  for (const issuer of [
    "https://x.example/",
    "https://x.example/realms/a",
    "http://localhost:8080",
    "http://127.0.0.1:1",
  ])
    expect(issuerOf(issuer)).toBe(1);
  for (const issuer of [
    "http://x.example",
    "x.example",
    "ftp://x",
    "https://a:b@x.example",
    "https://x.example/?a",
    "file:///x",
  ])
    expect(() => issuerOf(issuer)).toThrow(/^OIDC_ISSUER must be an https address/);
});

test("a port that other machines reach requires an identity provider, or ALLOW_LOCAL_LOGIN", () => {
  for (const host of ["127.0.0.1", "127.1.2.3", "localhost", "::1"])
    expect(readEnvironment({ HOST: host }).host).toBe(host);
  expect(readEnvironment({ HOST: "0.0.0.0", ALLOW_LOCAL_LOGIN: "1" }).host).toBe("0.0.0.0");
  expect(readEnvironment({ HOST: "0.0.0.0", ...oidc }).host).toBe("0.0.0.0");
  expect(() => readEnvironment({ HOST: "0.0.0.0", ALLOW_LOCAL_LOGIN: "0" })).toThrow(/ALLOW_LOCAL_LOGIN=1/);
});

const whole = {
  DATABASE_URL: "postgres://plinth:secret@db:5432/plinth",
  SECRET: "x".repeat(32),
  OPERATOR_TOKEN: "plo_",
  PUBLIC_URL: "https://plinth.example.com",
  API_ORIGIN: "http://api:3000",
};

test("a process is asked for what it needs and for nothing else", () => {
  const needs = {
    api: ["DATABASE_URL", "SECRET", "OPERATOR_TOKEN"],
    worker: ["DATABASE_URL", "SECRET"],
    web: ["API_ORIGIN"],
  } as const;
  for (const kind of ["api", "worker", "web"] as const) {
    const enough: Record<string, string> = {};
    for (const name of needs[kind]) enough[name] = whole[name];
    expect(readEnvironment({ ...enough, PUBLIC_URL: whole.PUBLIC_URL }, kind).publicUrl).toBe(whole.PUBLIC_URL);
    for (const name of needs[kind])
      expect(() => readEnvironment({ ...enough, [name]: " " }, kind)).toThrow(
        `${name} must be set for \`bun run ${kind}\``,
      );
  }
});

test("only where people sign in is asked how they do", () => {
  for (const kind of ["worker", "web"] as const)
    expect(readEnvironment({ ...whole, HOST: "0.0.0.0" }, kind).host).toBe("0.0.0.0");
  expect(() => readEnvironment({ ...whole, HOST: "0.0.0.0" }, "api")).toThrow(/^HOST must be /);
});

test("addresses of servers and the secret are checked without being repeated", () => {
  for (const [name, value] of [
    ["DATABASE_URL", "mysql://plinth:hidden@db/plinth"],
    ["DATABASE_URL", "hidden"],
    ["REDIS_URL", "https://:hidden@redis"],
    ["SECRET", "hidden"],
  ] as const)
    expect(() => readEnvironment({ ...whole, [name]: value })).toThrow(new RegExp(`^${name} must (?!.*hidden)[^\n]*$`));
});
