// Guarantees of compose.yaml and the proxy's file: no built-in secret, one open port, and a health check for each
// service.
import { beforeAll, expect, test } from "bun:test";
import { join } from "node:path";

import { isApiPath } from "@plinth/contract/api-paths";

import { repository } from "../harness/process.ts";
import { readCompose, type ComposeFile, type Service } from "./compose-file.ts";

const demanded = {
  PUBLIC_URL: "https://plinth.example.com",
  SECRET: "s".repeat(32),
  OPERATOR_TOKEN: "plo_",
  POSTGRES_PASSWORD: "of-its-own",
};
let file: ComposeFile;
let services: [string, Service][];
let proxyConf: string;
beforeAll(async () => {
  file = await readCompose(demanded);
  services = Object.entries(file.services);
  proxyConf = await Bun.file(join(repository, "deploy/nginx.conf")).text();
});

test("without a URL and secrets nothing starts", async () => {
  for (const name of Object.keys(demanded)) {
    await expect(readCompose({ ...demanded, [name]: "" })).rejects.toThrow(`compose.yaml demands ${name}: `);
  }
  const text = JSON.stringify(await readCompose(demanded));
  for (const secret of [demanded.SECRET, demanded.POSTGRES_PASSWORD]) expect(text).toContain(secret);
});

test("there are the services there should be, each pinned, watched and begun again", () => {
  expect(services.map(([name]) => name)).toEqual(["db", "redis", "api", "worker", "web", "proxy"]);
  expect([file.services["api"]?.deploy?.replicas, file.services["web"]?.deploy?.replicas]).toEqual([2, 2]);
  for (const [name, { image, build, restart, healthcheck }] of services) {
    if (build === undefined) expect([name, image]).toEqual([name, expect.stringMatching(/^[a-z]+:\d+\.\d+(\.\d+)?$/)]);
    expect([name, restart]).toEqual([name, "unless-stopped"]);
    // By the image's own check, where there is no other.
    const isWatched = build !== undefined ? healthcheck?.disable !== true : healthcheck?.test !== undefined;
    expect([name, isWatched]).toEqual([name, true]);
  }
});

test("no image is older than the release that mended what its callers could reach", () => {
  // Memory written past its end, by requests, scripts or statements: each first ended by that release.
  const mended: Readonly<Record<string, string>> = { postgres: "18.6", redis: "7.2.15", nginx: "1.30.4" };
  const whole = (version: string) => (version.split(".").length === 2 ? `${version}.0` : version);
  const pinned = services.flatMap(([, { build, image }]) => (build === undefined ? [image.split(":")] : []));
  expect(pinned.map(([name = ""]) => name).toSorted()).toEqual(Object.keys(mended).toSorted());
  for (const [name = "", version = ""] of pinned)
    expect([name, Bun.semver.satisfies(whole(version), `>=${whole(mended[name] ?? "")}`)]).toEqual([name, true]);
});

test("only the proxy has a port that others reach, and by default only this machine does", () => {
  const published = services.filter(([, { ports }]) => ports !== undefined);
  expect(published.map(([name, { ports }]) => [name, ports])).toEqual([["proxy", ["127.0.0.1:8080:8080"]]]);
});

test("the database and Redis are reached from inside alone, and what has no business outside has no way there", () => {
  const outside = services.filter(([, { networks = [] }]) =>
    networks.some((name) => file.networks[name]?.internal !== true),
  );
  expect(outside.map(([name]) => name)).toEqual(["api", "worker", "proxy"]);
  // The proxy shares no other network with those it believes to be behind it.
  const ofApi = file.services["api"]?.networks ?? [];
  expect(file.services["proxy"]?.networks?.filter((name) => ofApi.includes(name))).toEqual(["inside"]);
  for (const [, { networks = [], volumes = [] }] of services) {
    for (const name of networks) expect(file.networks).toHaveProperty(name);
    for (const volume of volumes.filter((each) => !each.startsWith(".")))
      expect(file.volumes).toHaveProperty(volume.split(":")[0] ?? "");
  }
  expect(file.services["api"]?.environment?.["TRUSTED_PROXIES"]?.trim()).toBe(
    file.networks["inside"]?.ipam?.config[0]?.subnet ?? "",
  );
});

test("what runs Plinth or stands before it has no rights it could lose", () => {
  for (const [name, { cap_drop, security_opt = [], read_only, build }] of services) {
    if (build === undefined && name !== "proxy") continue;
    expect([name, cap_drop, read_only]).toEqual([name, ["ALL"], true]);
    expect(security_opt).toContain("no-new-privileges:true");
  }
});

test("each process has the command that its script has, and is given nothing that is not read", async () => {
  const { scripts } = (await Bun.file(join(repository, "package.json")).json()) as { scripts: Record<string, string> };
  const documented = await Bun.file(join(repository, "docs/hosting.md")).text();
  for (const name of ["api", "worker", "web"]) {
    const { command = [], environment = {} } = file.services[name] ?? {};
    expect(command).toEqual(["bun", `server/${name}.ts`]);
    expect(scripts[name]).toBe(`bun scripts/start.ts ${name}`);
    for (const variable of Object.keys(environment).filter((each) => each !== "HOME"))
      expect(documented).toContain(`\`${variable}\``);
  }
  const secrets = (name: string) =>
    ["SECRET", "OPERATOR_TOKEN", "DATABASE_URL", "STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET"].filter(
      (each) => each in (file.services[name]?.environment ?? {}),
    );
  expect([secrets("api"), secrets("worker"), secrets("web")]).toEqual([
    ["SECRET", "OPERATOR_TOKEN", "DATABASE_URL", "STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET"],
    ["SECRET", "DATABASE_URL", "STRIPE_SECRET_KEY"],
    [],
  ]);
});

test("the API and the worker have the same settings of plans and prices", () => {
  const settingsOf = (name: string) =>
    Object.keys(file.services[name]?.environment ?? {}).filter(
      (each) => each === "DEFAULT_PLAN" || (each.startsWith("STRIPE_") && each !== "STRIPE_WEBHOOK_SECRET"),
    );
  expect(settingsOf("worker")).toEqual(settingsOf("api"));
  expect(settingsOf("worker")).toHaveLength(6);
});

test("the database's address is that of the account that is made", () => {
  const { environment = {} } = file.services["db"] ?? {};
  const { protocol, username, password, pathname, host } = new URL(
    file.services["api"]?.environment?.["DATABASE_URL"] ?? "",
  );
  expect([protocol, host, username, password, pathname]).toEqual([
    "postgres:",
    "db:5432",
    environment["POSTGRES_USER"] ?? "",
    environment["POSTGRES_PASSWORD"] ?? "",
    `/${environment["POSTGRES_DB"]}`,
  ]);
});

test("the proxy sends to the API what is the API's", () => {
  const [, pattern = ""] = /^ *location ~ (\S+) \{/m.exec(proxyConf) ?? [];
  const isSent = new RegExp(pattern);
  const paths = `
    /api /api/health /mcp /.well-known/x /_content/p/a/1 /_runtime/x.js /docs/reference /docs/reference/scalar.js
    /llms.txt /SKILL.md /AGENTS.md /install.sh /cli.tgz /_cli/SHA256SUMS
    / /apis/x /mcp-notes/a /docs /docs/errors/not_found /docs/references /skill.md /llms.txts /ada/llms.txt
    /ada/api/x /_app/x.js /xwell-known/a /llms_txt /install_sh`;
  for (const path of paths.trim().split(/\s+/)) expect([path, isSent.test(path)]).toEqual([path, isApiPath(path)]);
});

test("what holds Chromium refuses what no page needs and allows it a sandbox", async () => {
  const option = file.services["worker"]?.security_opt?.find((each) => each.startsWith("seccomp:")) ?? "";
  const profile = (await Bun.file(join(repository, option.slice("seccomp:".length))).json()) as {
    defaultAction: string;
    syscalls: { names: string[]; action: string }[];
  };
  const refused = profile.syscalls.filter(({ action }) => action === "SCMP_ACT_ERRNO").flatMap(({ names }) => names);
  expect(refused).toEqual(expect.arrayContaining(["mount", "ptrace", "bpf", "kexec_load", "keyctl", "io_uring_setup"]));
  for (const needed of ["unshare", "clone", "clone3", "chroot", "setns"]) expect(refused).not.toContain(needed);
});
