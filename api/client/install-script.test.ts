// Runs the install script of an instance with this machine's sh against a local server: valid downloads, and everything
// that it must refuse.
import { afterAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createHash } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { installScript } from "./install-script.ts";

const temporary = mkdtempSync(join(tmpdir(), "plinth-install-"));
afterAll(() => rmSync(temporary, { recursive: true }));

/**
 * Creates a marker file whenever it runs, prints its version, keeps a base URL as `plinth config` does, and has a size.
 */
const program = `#!/bin/sh
: >"$PLINTH_TEST_RAN"
case "$1 $2" in
  "--version ") echo 9.9.9 ;;
  "config get") [ ! -f "$HOME/base-url" ] || cat "$HOME/base-url" ;;
  "config set") printf %s "$4" >"$HOME/base-url" ;;
esac
${"# padding\n".repeat(5000)}`;
const gzipped = gzipSync(program);
const sha256 = (content: string | Uint8Array) => createHash("sha256").update(content).digest("hex");
const machine = `plinth-${process.platform}-${process.arch}.gz`;
const sums = (sum = sha256(gzipped), file = machine) => `${sha256("other")}  plinth-plan9-x64.gz\n${sum}  ${file}\n`;

/** Replaces curl and wget on machines without them, and accepts the arguments of both. */
const fetcher = join(temporary, "fetcher.ts");
writeFileSync(
  fetcher,
  `const words = process.argv.slice(2);
   const file = words[words.indexOf("--output") + 1] ?? "";
   const answer = await fetch(words.at(-1) ?? "");
   if (!answer.ok) process.exit(22);
   await Bun.write(file.replace("--output-document=", ""), await answer.arrayBuffer());`,
);
const curl = Bun.which("curl") === null ? { curl: `exec ${process.execPath} ${fetcher} "$@"` } : {};
/** Its arguments are --quiet --output-document=… URL. */
const wget = { wget: `shift; exec ${process.execPath} ${fetcher} --output "$@"` };
/** Installs a package that is the program itself: its arguments are install --global --prefix PREFIX … FILE. */
const npm = {
  npm: 'for file in "$@"; do :; done; mkdir -p "$4/bin" && gzip -dc "$file" >"$4/bin/plinth" && chmod 755 "$4/bin/plinth"',
};
const shasum = { shasum: `[ "$*" = "-a 256" ] && exec ${Bun.which("sha256sum") ?? Bun.which("shasum")}` };

interface Setup {
  readonly files?: Readonly<Record<string, string | Uint8Array | ((response: ServerResponse) => void)>>;
  /** Programs that precede the system's on the PATH. */
  readonly programs?: Readonly<Record<string, string>>;
  /** The only system programs on the PATH. */
  readonly only?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The part of the script that arrives. */
  readonly arrived?: (script: string) => string;
  readonly publicUrl?: string;
  readonly before?: (home: string) => void;
}

async function install({
  files = good,
  programs = {},
  only,
  env = {},
  arrived = (script) => script,
  publicUrl,
  before,
}: Setup = {}) {
  const home = mkdtempSync(join(temporary, "home-"));
  const bin = mkdtempSync(join(temporary, "bin-"));
  const ran = join(home, "ran");
  for (const [name, body] of Object.entries({ ...(only === undefined && curl), ...programs })) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${body}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  for (const name of only ?? []) symlinkSync(Bun.which(name) ?? name, join(bin, name));
  before?.(home);
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    asked.push(path);
    const file = files[path];
    if (typeof file === "function") file(response);
    else response.writeHead(file === undefined ? 404 : 200).end(file ?? "gone");
  });
  const port = await new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
  const origin = `http://127.0.0.1:${port}`;
  const child = Bun.spawn(["/bin/sh"], {
    cwd: home,
    stdin: new Blob([arrived(installScript(publicUrl ?? origin))]),
    stdout: "pipe",
    stderr: "pipe",
    env: {
      HOME: home,
      PATH: only ? bin : `${bin}:/usr/bin:/bin`,
      PLINTH_TEST_RAN: ran,
      ...env,
    },
  });
  const [code, stdout, stderr] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  server.closeAllConnections();
  server.close();
  const folder = join(home, ".local/bin");
  return {
    code,
    stdout,
    stderr,
    asked,
    home,
    origin,
    /** All files in the target folder, including hidden ones. */
    installed: existsSync(folder) ? readdirSync(folder) : [],
    plinth: join(folder, "plinth"),
    ran: existsSync(ran),
  };
}

const asPackage: NonNullable<Setup["files"]> = { "/_cli/SHA256SUMS": sums(undefined, "cli.tgz"), "/cli.tgz": gzipped };
const good: NonNullable<Setup["files"]> = { "/_cli/SHA256SUMS": sums(), [`/_cli/${machine}`]: gzipped };

describe("a good release", () => {
  test("is installed for this user, with a word about the PATH", async () => {
    const { code, stdout, stderr, installed, plinth, home } = await install();
    expect({ code, stderr, installed }).toEqual({ code: 0, stderr: "", installed: ["plinth"] });
    expect(readFileSync(plinth, "utf8")).toBe(program);
    expect(stdout).toContain(`plinth 9.9.9 is in ${home}/.local/bin\n`);
    expect(stdout).toContain(`export PATH="${home}/.local/bin:$PATH"`);
  });

  test("replaces an older one, also where the folder's name has spaces, and says nothing of a PATH that has it", async () => {
    const place = join(temporary, "my programs");
    mkdirSync(place);
    writeFileSync(join(place, "plinth"), "older");
    const { code, stdout } = await install({
      env: { PLINTH_INSTALL_DIR: place, PATH: `/usr/bin:/bin:${place}` },
    });
    expect({ code, stdout, files: readdirSync(place) }).toEqual({
      code: 0,
      stdout: `plinth 9.9.9 is in ${place}\nSign in with: plinth login\n`,
      files: ["plinth"],
    });
    expect(readFileSync(join(place, "plinth"), "utf8")).toBe(program);
  });

  test("is fetched with wget where there is no curl, and hashed with shasum where there is no sha256sum", async () => {
    const { code, stderr } = await install({
      only: ["uname", "find", "getconf", "mkdir", "mktemp", "rm", "awk", "cut", "chmod", "mv", "gzip", "cat"],
      programs: { ...wget, ...shasum },
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });

  test("leaves the address of the instance where plinth publishes to, unless the user has chosen another", async () => {
    const { home, origin, stdout } = await install();
    expect(readFileSync(join(home, "base-url"), "utf8")).toBe(origin);
    expect(stdout).not.toContain("config set");
    const other = await install({ before: (place) => writeFileSync(join(place, "base-url"), "https://other.example") });
    expect(readFileSync(join(other.home, "base-url"), "utf8")).toBe("https://other.example");
    expect(other.stdout).toContain(`plinth config set base-url ${other.origin}\n`);
  });

  test("of an instance without https is installed where the user says so", async () => {
    const { code, stderr } = await install({ publicUrl: "http://plinth.example.com", env: { PLINTH_ALLOW_HTTP: "1" } });
    expect({
      failed: code !== 0,
      says: stderr.includes("http://plinth.example.com/_cli/SHA256SUMS could not be"),
    }).toEqual({ failed: true, says: true });
  });
});

describe("without an executable for the machine", () => {
  test.each([
    ["another system", '[ "$1" = -s ] && echo Plan9 || echo x86_64'],
    ["another processor", '[ "$1" = -s ] && echo Linux || echo riscv64'],
    ["musl", '[ "$1" = -s ] && echo Linux || echo aarch64'],
  ])("%s: the npm package is installed", async (_, uname) => {
    const { code, asked, stderr, stdout, plinth, home } = await install({
      files: { "/_cli/SHA256SUMS": `${sums()}${sums(undefined, "cli.tgz")}`, "/cli.tgz": gzipped },
      programs: { ...npm, getconf: "exit 1", find: "echo /lib/ld-musl.so.1", uname },
    });
    expect({ code, stderr, asked }).toEqual({ code: 0, stderr: "", asked: ["/_cli/SHA256SUMS", "/cli.tgz"] });
    expect(readFileSync(plinth, "utf8")).toBe(program);
    expect(stdout).toContain(`plinth 9.9.9 is in ${home}/.local/bin\n`);
  });

  test("a folder that is no bin folder has a link to the package", async () => {
    const place = join(temporary, "apart");
    const { code, stderr } = await install({ files: asPackage, programs: npm, env: { PLINTH_INSTALL_DIR: place } });
    expect({ code, stderr, files: readdirSync(place).toSorted() }).toEqual({
      code: 0,
      stderr: "",
      files: ["npm", "plinth"],
    });
    expect(readFileSync(join(place, "plinth"), "utf8")).toBe(program);
  });
});

describe("refused, with nothing run and nothing left behind", () => {
  const cut = gzipped.subarray(0, 100);
  const broken = (response: ServerResponse) => {
    response.writeHead(200, { "content-length": gzipped.length });
    response.write(cut, () => response.destroy());
  };
  const cases: Record<string, Setup & { readonly says: string }> = {
    "another checksum": {
      files: { ...good, "/_cli/SHA256SUMS": sums(sha256("x")) },
      says: "is not what SHA256SUMS says",
    },
    "half a download that looks whole": {
      files: { ...good, [`/_cli/${machine}`]: cut },
      says: "is not what SHA256SUMS says",
    },
    "a download that breaks off": {
      files: { ...good, [`/_cli/${machine}`]: broken },
      says: `${machine} could not be fetched`,
    },
    "no SHA256SUMS": { files: { [`/_cli/${machine}`]: gzipped }, says: "SHA256SUMS could not be fetched" },
    "an empty SHA256SUMS": {
      files: { ...good, "/_cli/SHA256SUMS": "" },
      programs: npm,
      says: "SHA256SUMS says nothing of cli.tgz",
    },
    "a SHA256SUMS that is a web page": {
      files: { ...good, "/_cli/SHA256SUMS": `<p>${machine} cli.tgz</p>` },
      programs: npm,
      says: "SHA256SUMS says nothing of cli.tgz",
    },
    "two checksums for one file": {
      files: { ...good, "/_cli/SHA256SUMS": sums() + sums(sha256("x")) },
      programs: npm,
      says: "SHA256SUMS says nothing of cli.tgz",
    },
    "another checksum of the package": {
      files: { ...asPackage, "/_cli/SHA256SUMS": sums(sha256("x"), "cli.tgz") },
      programs: npm,
      says: "cli.tgz is not what SHA256SUMS says",
    },
    "a package that npm cannot install": {
      files: asPackage,
      programs: { npm: "echo EBROKEN; exit 1" },
      says: "EBROKEN\nplinth: npm could not install the package",
    },
    "no executable": { files: { "/_cli/SHA256SUMS": sums() }, says: `${machine} could not be fetched` },
    "neither an executable nor npm": {
      files: asPackage,
      only: ["uname", "find", "getconf", "mkdir", "mktemp", "rm", "awk", "cut", "sha256sum"],
      programs: wget,
      says: "has no executable for Linux",
    },
    Windows: { programs: { uname: "echo MINGW64_NT-10.0" }, says: "npm install --global http://127.0.0.1:" },
    "no tool for checksums": { only: ["uname", "find", "getconf"], programs: wget, says: "no checksum can be checked" },
    "no tool for downloads": { only: ["uname", "find", "getconf", "sha256sum"], says: "neither curl nor wget" },
    "an address that anyone on the way may answer": {
      publicUrl: "http://plinth.example.com",
      says: "not an https address",
    },
    "a folder relative to wherever it runs": { env: { PLINTH_INSTALL_DIR: "bin" }, says: "must begin with /" },
  };
  for (const [name, { says, ...setup }] of Object.entries(cases))
    test(name, async () => {
      const { code, stdout, stderr, installed, ran } = await install(setup);
      expect({ failed: code !== 0, stdout, installed, ran }).toEqual({
        failed: true,
        stdout: "",
        installed: [],
        ran: false,
      });
      expect(stderr).toContain(says);
    });

  test("and an older plinth stays as it was", async () => {
    const { code, plinth, installed } = await install({
      files: { ...good, "/_cli/SHA256SUMS": sums(sha256("x")) },
      before: (home) => {
        mkdirSync(join(home, ".local/bin"), { recursive: true });
        writeFileSync(join(home, ".local/bin/plinth"), "older");
      },
    });
    expect({ failed: code !== 0, installed, text: readFileSync(plinth, "utf8") }).toEqual({
      failed: true,
      installed: ["plinth"],
      text: "older",
    });
  });
});

test("a script that was cut off anywhere does nothing", async () => {
  const script = installScript("https://plinth.example.com");
  const places = new Set([
    0,
    1,
    script.indexOf("set -eu"),
    script.lastIndexOf("main") + 3,
    script.lastIndexOf("main") + 8,
  ]);
  for (let place = 1; place < 24; place++) places.add(Math.floor((script.length * place) / 24));
  for (const place of places) {
    const { asked, installed, ran, stdout } = await install({ arrived: () => script.slice(0, place) });
    expect({ place, asked, installed, ran, stdout }).toEqual({
      place,
      asked: [],
      installed: [],
      ran: false,
      stdout: "",
    });
  }
});

test("the address stands in the script, and nothing that could end its quotes", () => {
  expect(installScript("https://plinth.example.com:8443")).toContain("url='https://plinth.example.com:8443'\n");
  expect(installScript("http://[::1]:3000")).toContain("url='http://[::1]:3000'\n");
  for (const wrong of ["https://x'; rm -rf ~; '", "https://$(id)", "https://x/y", "https://x\n"])
    expect(() => installScript(wrong)).toThrow();
});
