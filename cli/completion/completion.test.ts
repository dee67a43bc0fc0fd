import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "bun:test";

import { catalogue, commands } from "../catalogue.ts";
import { commandTree, local, type Command } from "../command/command.ts";
import { globalFlags } from "../flags/global-flags.ts";
import { emptyDirectory, json, line } from "../testing/line.ts";
import { bashScript } from "./bash.ts";
import { fishScript } from "./fish.ts";
import { positionsOf } from "./tables.ts";
import { zshScript } from "./zsh.ts";

const scriptOf = async (shell: string) => (await line(["completion", shell])).stdout;
const directory = emptyDirectory();
let script = "";

beforeAll(async () => {
  script = join(directory, "completion.bash");
  writeFileSync(script, await scriptOf("bash"));
  mkdirSync(join(directory, "files"));
  for (const name of ["report one.md", "report $(touch evil).md", "other.md"])
    writeFileSync(join(directory, "files", name), "");
});

/** What a real bash would offer for the words, the last of them unfinished. */
function offered(...words: readonly string[]): string[] {
  const run =
    'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _plinth; printf "%s\\n" "${COMPREPLY[@]}"';
  const options = { cwd: join(directory, "files"), encoding: "utf8" } as const;
  const out = execFileSync("bash", ["--norc", "-c", run, "bash", script, "plinth", ...words], options);
  return out.split("\n").filter((text) => text !== "");
}

describe("every script", () => {
  test.each(["bash", "zsh", "fish"])("of %s names every command and every flag", async (shell) => {
    const { code, stdout, stderr } = await line(["completion", shell, "--format", "text"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toBe(await scriptOf(shell));
    for (const { path, flags } of commands) {
      const branch = stdout.split("\n").filter((row) => row.includes(`'${path}'`));
      // fish puts the answer on the line below its branch.
      const at = stdout.indexOf(`case '${path}'`, stdout.indexOf("function __plinth_flags"));
      const answers = shell === "fish" ? stdout.slice(at, stdout.indexOf("\n        case", at + 1)) : branch.join("\n");
      for (const flag of [...Object.keys(flags), ...Object.keys(globalFlags)])
        expect({ path, flag, named: answers.includes(`--${flag}`) || stdout.includes(`'${path}' --${flag}`) }).toEqual({
          path,
          flag,
          named: true,
        });
    }
  });

  test("is one that bash can read", () => {
    expect(spawnSync("bash", ["-n", script], { encoding: "utf8" })).toMatchObject({ status: 0, stderr: "" });
  });

  test("takes nothing from a catalogue that could mean something to a shell", () => {
    const evil = "it's `touch evil` $(touch evil); \\' \" \n\r\u001b[2J && touch evil #";
    const command: Command = {
      ...(commands[0] as Command),
      ...local,
      path: "harm",
      summary: evil,
      flags: { one: { type: "string", description: evil, values: ["a", "b"] } },
      positionals: { name: "what", description: evil, values: ["x"] },
    };
    const places = positionsOf(commandTree("plinth", evil, [command]));
    for (const [shell, made] of [
      ["bash", bashScript(places)],
      ["zsh", zshScript(places)],
      ["fish", fishScript(places)],
    ] as const) {
      expect(made).not.toMatch(/\p{Cc}(?<!\n)/u);
      // Without the quoted parts, nothing of it is left.
      if (shell !== "bash") expect(made).toContain("touch evil");
      expect(made.replaceAll(/'[^'\n]*'/g, "")).not.toContain("touch");
      if (shell !== "bash") continue;
      const run = `cd "${directory}"; ${made}\n_plinth_flags harm; _plinth_next harm; _plinth_next ""`;
      const { status, stdout } = spawnSync("bash", ["--norc", "-c", run], { encoding: "utf8" });
      expect({ status, stdout: stdout.split("\n")[0] }).toEqual({
        status: 0,
        stdout: expect.stringContaining("--one"),
      });
    }
    expect(existsSync(join(directory, "evil"))).toBe(false);
    for (const word of ["a b", "a;b", "$(a)", "-a", "a'b", "a\nb", ""]) {
      const wrong: Command = { ...command, flags: { one: { type: "string", description: "", values: [word] } } };
      expect(() => positionsOf(commandTree("plinth", "", [wrong]))).toThrow("no word for a shell");
    }
  });
});

describe("a real bash offers", () => {
  test("commands, and what stands below them", () => {
    expect(offered("")).toEqual([...catalogue.children.keys()]);
    expect(offered("art")).toEqual(["artifact"]);
    expect(offered("artifact", "access", "")).toEqual(["audience", "get", "set"]);
    expect(offered("agent", "")).toEqual(expect.arrayContaining(["list", "init"]));
    expect(offered("completion", "")).toEqual(["bash", "zsh", "fish"]);
    expect(offered("nonsense")).toEqual([]);
  });

  test("the flags of the command, wherever global ones stand", () => {
    expect(offered("artifact", "get", "--art")).toEqual(["--artifact-id"]);
    expect(offered("--format", "json", "artifact", "get", "--art")).toEqual(["--artifact-id"]);
    expect(offered("--format", "=", "json", "--quiet", "artifact", "get", "--art")).toEqual(["--artifact-id"]);
    expect(offered("artifact", "get", "--pri")).toEqual([]);
    expect(offered("push", "--pri")).toContain("--private");
    expect(offered("artifact", "--art")).toEqual([]);
    expect(offered("artifact", "--qui")).toEqual(["--quiet"]);
  });

  test("the values of a flag, also behind an equals sign", () => {
    expect(offered("--format", "")).toEqual(["json", "text"]);
    expect(offered("push", "--type", "")).toEqual(["md", "html", "jsx"]);
    expect(offered("push", "--type", "=", "h")).toEqual(["html"]);
    expect(offered("push", "--type", "=")).toEqual(["md", "html", "jsx"]);
    expect(offered("artifact", "get", "--artifact-id", "")).toEqual([]);
    // A value that looks like a command is none.
    expect(offered("artifact", "--token", "get", "ge")).toEqual(["get"]);
  });

  test("files where a file is expected, with any name", () => {
    const files = ["report $(touch evil).md", "report one.md"];
    expect(offered("push", "rep").toSorted()).toEqual(files);
    expect(offered("push", "--file", "rep").toSorted()).toEqual(files);
    expect(offered("push", "--", "rep").toSorted()).toEqual(files);
    expect(offered("artifact", "list", "rep")).toEqual([]);
  });

  test("and runs nothing that stands on the line", () => {
    for (const word of ["$(touch evil)", "`touch evil`", "'; touch evil; '", "a[$(touch evil)]", "*", "\\"]) {
      offered(word);
      offered("artifact", word, "g");
      offered("push", word);
      offered("push", "--type", word);
      offered(`--${word}`);
    }
    expect(readdirSync(join(directory, "files")).toSorted()).toEqual([
      "other.md",
      "report $(touch evil).md",
      "report one.md",
    ]);
  });
});

test("another shell is not known", async () => {
  for (const words of [[], ["powershell"], ["bash", "zsh"]])
    expect(await line(["completion", ...words])).toMatchObject({ code: 2, stdout: "" });
  expect((await line(["completion", "bas"])).error["hint"]).toBe("Did you mean bash?");
});

describe("names of the instance", () => {
  /** What bash offers where `plinth` prints its own words as names. */
  const named = (...words: readonly string[]): string[] => {
    const run =
      'plinth() { printf "%s\\n" "$*"; }; source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _plinth; printf "%s\\n" "${COMPREPLY[@]}"';
    const out = execFileSync("bash", ["--norc", "-c", run, "bash", script, "plinth", ...words], { encoding: "utf8" });
    return out.split("\n").filter((text) => text !== "");
  };
  const asked = (kind: string, prefix: string) => [`completion --names ${kind} --prefix ${prefix} --no-input --quiet`];

  test("are offered for the first word, and for the flags that take one", () => {
    expect(named("get", "ada/n")).toEqual(asked("artifact", "ada/n"));
    expect(named("artifact", "restore", "ada/n")).toEqual(asked("artifact", "ada/n"));
    expect(named("audit", "list", "--artifact-id", "ada")).toEqual(asked("artifact", "ada"));
    expect(named("ls", "a")).toEqual(asked("project", "a"));
    expect(named("init", "a")).toEqual(asked("project", "a"));
    expect(named("push", "--project-slug", "no")).toEqual(asked("project-slug", "no"));
    for (const shell of ["zsh", "fish"])
      expect([zshScript, fishScript][shell === "zsh" ? 0 : 1]?.(positionsOf(catalogue))).toContain("@artifact");
  });

  const artifacts = ["a", "b"].map((slug) => ({ ownerUsername: "ada", projectSlug: "notes", slug }));
  const hostile = { ownerUsername: "ada", projectSlug: "notes", slug: "$(touch evil)" };
  const projects = [
    { ownerUsername: "ada", slug: "notes" },
    { ownerUsername: "team", slug: "notes" },
  ];
  const answer = () => json({ artifacts: [...artifacts, hostile], projects, nextCursor: null });
  const print = (...words: readonly string[]) =>
    line(["completion", ...words], { answer, env: { SERVICE_TOKEN: "plk_x" } });

  test("are those that begin with the prefix, without what a shell could take for more", async () => {
    expect((await print("--names", "artifact")).stdout).toBe("ada/notes/a\nada/notes/b\n");
    expect((await print("--names", "project")).stdout).toBe("ada/notes\nteam/notes\n");
    expect((await print("--names", "project", "--prefix", "t")).stdout).toBe("team/notes\n");
    expect((await print("--names", "project-slug")).stdout).toBe("notes\n");
    const { requests, stdout } = await print("--names", "artifact", "--prefix", "ada/notes/b");
    expect({ stdout, search: new URL(requests[0]?.url ?? "").search }).toEqual({
      stdout: "ada/notes/b\n",
      search: "?limit=100&owner=ada&project=notes",
    });
  });

  test("are of no shell", async () => {
    expect((await print("bash", "--names", "artifact")).code).toBe(2);
    expect((await print("--prefix", "a")).code).toBe(2);
  });
});
