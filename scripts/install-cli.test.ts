// Runs the install script of the command line with this machine's sh against a local server: valid downloads, and
// everything that it must refuse.
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

const script = readFileSync(join(import.meta.dir, "install-cli.sh"), "utf8");
const temporary = mkdtempSync(join(tmpdir(), "plinth-install-"));
afterAll(() => rmSync(temporary, { recursive: true }));

/** Prints its version, and creates a marker file whenever it runs. */
const program = `#!/bin/sh\n: >"$PLINTH_TEST_RAN"\n[ "$1" = --version ] && echo 9.9.9\n${"# padding\n".repeat(5000)}`;
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const machine = `plinth-${process.platform}-${process.arch}`;
const sums = (sum = sha256(program), file = machine) => `${sha256("other")}  plinth-plan9-x64\n${sum}  ${file}\n`;

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
const shasum = { shasum: `[ "$*" = "-a 256" ] && exec ${Bun.which("sha256sum") ?? Bun.which("shasum")}` };

interface World {
  readonly files?: Readonly<Record<string, string | ((response: ServerResponse) => void)>>;
  /** Programs that precede the system's on the PATH. */
  readonly programs?: Readonly<Record<string, string>>;
  /** The only system programs on the PATH. */
  readonly only?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly text?: string;
  readonly before?: (home: string) => void;
}

async function install({ files = good, programs = {}, only, env = {}, text = script, before }: World = {}) {
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
  const child = Bun.spawn(["/bin/sh"], {
    cwd: home,
    stdin: new Blob([text]),
    stdout: "pipe",
    stderr: "pipe",
    env: {
      HOME: home,
      PATH: only ? bin : `${bin}:/usr/bin:/bin`,
      PLINTH_DOWNLOAD_URL: `http://127.0.0.1:${port}/latest/`,
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
    /** All files in the target folder, including hidden ones. */
    installed: existsSync(folder) ? readdirSync(folder) : [],
    plinth: join(folder, "plinth"),
    ran: existsSync(ran),
  };
}

const good = { "/latest/SHA256SUMS": sums(), [`/latest/${machine}`]: program };

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
      stdout: `plinth 9.9.9 is in ${place}\n`,
      files: ["plinth"],
    });
    expect(readFileSync(join(place, "plinth"), "utf8")).toBe(program);
  });

  test("is fetched with wget where there is no curl, and hashed with shasum where there is no sha256sum", async () => {
    const { code, stderr } = await install({
      only: ["uname", "find", "getconf", "mkdir", "mktemp", "rm", "awk", "cut", "chmod", "mv"],
      programs: { ...wget, ...shasum },
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });

  test("for musl is another file", async () => {
    const { code, asked, stderr } = await install({
      programs: {
        getconf: "exit 1",
        find: "echo /lib/ld-musl.so.1",
        uname: '[ "$1" = -s ] && echo Linux || echo aarch64',
      },
    });
    expect({ code, asked }).toEqual({ code: 1, asked: ["/latest/SHA256SUMS"] });
    expect(stderr).toContain("SHA256SUMS says nothing of plinth-linux-arm64-musl");
  });
});

describe("refused, with nothing run and nothing left behind", () => {
  const cut = program.slice(0, 100);
  const broken = (response: ServerResponse) => {
    response.writeHead(200, { "content-length": program.length });
    response.write(cut, () => response.destroy());
  };
  const cases: Record<string, World & { readonly says: string }> = {
    "another checksum": {
      files: { ...good, "/latest/SHA256SUMS": sums(sha256("x")) },
      says: "is not what SHA256SUMS says",
    },
    "half a download that looks whole": {
      files: { ...good, [`/latest/${machine}`]: cut },
      says: "is not what SHA256SUMS says",
    },
    "a download that breaks off": {
      files: { ...good, [`/latest/${machine}`]: broken },
      says: `${machine} could not be fetched`,
    },
    "no SHA256SUMS": { files: { [`/latest/${machine}`]: program }, says: "SHA256SUMS could not be fetched" },
    "an empty SHA256SUMS": {
      files: { ...good, "/latest/SHA256SUMS": "" },
      says: `SHA256SUMS says nothing of ${machine}`,
    },
    "a SHA256SUMS that is a web page": {
      files: { ...good, "/latest/SHA256SUMS": `<p>${machine}</p>` },
      says: `SHA256SUMS says nothing of ${machine}`,
    },
    "two checksums for one file": {
      files: { ...good, "/latest/SHA256SUMS": sums() + sums(sha256("x")) },
      says: `SHA256SUMS says nothing of ${machine}`,
    },
    "no executable": { files: { "/latest/SHA256SUMS": sums() }, says: `${machine} could not be fetched` },
    "an unknown system": {
      programs: { uname: '[ "$1" = -s ] && echo Plan9 || echo x86_64' },
      says: "no plinth for Plan9",
    },
    "an unknown processor": {
      programs: { uname: '[ "$1" = -s ] && echo Linux || echo riscv64' },
      says: "processor riscv64",
    },
    "no tool for checksums": { only: ["uname", "find", "getconf"], programs: wget, says: "no checksum can be checked" },
    "no tool for downloads": { only: ["uname", "find", "getconf", "sha256sum"], says: "neither curl nor wget" },
    "no address": { env: { PLINTH_DOWNLOAD_URL: "" }, says: "PLINTH_DOWNLOAD_URL is not set" },
    "an address that anyone on the way may answer": {
      env: { PLINTH_DOWNLOAD_URL: "http://plinth.example.com" },
      says: "not an https address",
    },
    "a folder relative to wherever it runs": { env: { PLINTH_INSTALL_DIR: "bin" }, says: "must begin with /" },
  };
  for (const [name, { says, ...world }] of Object.entries(cases))
    test(name, async () => {
      const { code, stdout, stderr, installed, ran } = await install(world);
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
      files: { ...good, "/latest/SHA256SUMS": sums(sha256("x")) },
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
  const places = new Set([
    0,
    1,
    script.indexOf("set -eu"),
    script.lastIndexOf("main") + 3,
    script.lastIndexOf("main") + 8,
  ]);
  for (let place = 1; place < 24; place++) places.add(Math.floor((script.length * place) / 24));
  for (const place of places) {
    const { asked, installed, ran, stdout } = await install({ text: script.slice(0, place) });
    expect({ place, asked, installed, ran, stdout }).toEqual({
      place,
      asked: [],
      installed: [],
      ran: false,
      stdout: "",
    });
  }
});
