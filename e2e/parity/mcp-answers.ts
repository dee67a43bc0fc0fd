// The outputs of operations whose tools have no detail, read from their texts.
import type { Access, Diff } from "@plinth/contract/schemas/artifact";

const accessText =
  /^\S+ (?:now )?(?:(?<hidden>is private: its workspace can view it)(?:, and (?<let>.+))?|can be viewed by anyone(?<edit>, and edited by anyone who is signed in)?(?:; listed as viewers: (?<listed>.+))?)\.$/;

/** @throws where the text says no access object */
export function accessIn(text: string): Access {
  const groups = accessText.exec(text)?.groups;
  if (groups === undefined) throw new Error(`no access in ${text}`);
  const { hidden, edit, let: lets, listed } = groups as Readonly<Record<string, string | undefined>>;
  const emails = lets ?? listed;
  return {
    publicView: hidden === undefined,
    publicEdit: edit !== undefined,
    viewerEmails: emails === undefined ? [] : emails.split(", "),
  };
}

const kinds = { " ": "context", "+": "add", "-": "delete" } as const;

/** Of a comparison that is whole. @throws where the text is none */
export function diffIn(text: string, unified: string): Omit<Diff, "artifactId"> {
  const said = /: (\d+) lines? added and (\d+) removed between versions (\d+) and (\d+)\.(.*)$/m.exec(text);
  const [additions, deletions, from, to] = (said ?? []).slice(1, 5).map(Number);
  if (additions === undefined || deletions === undefined || from === undefined || to === undefined)
    throw new Error(`no comparison in ${text}`);
  if (said?.[5]?.includes("left out") === true) throw new Error("a part of the comparison is left out");
  const files = (what: string) =>
    Array.from(text.matchAll(new RegExp(`^- file ${what}: (.*)$`, "gm")), ([, path = ""]) => path);
  return {
    from,
    to,
    stats: { additions, deletions },
    hunks: unified
      .split(/^(?=@@ )/m)
      .slice(1)
      .map(hunkIn),
    files: { added: files("added"), removed: files("removed"), changed: files("changed") },
    coarse: said?.[5]?.includes("Blocks are compared as a whole") === true,
  };
}

function hunkIn(hunk: string): Diff["hunks"][number] {
  const [head = "", ...lines] = hunk.replace(/\n$/, "").split("\n");
  const [, oldStart, oldLines = "1", newStart, newLines = "1"] =
    /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(head) ?? [];
  return {
    oldStart: Number(oldStart),
    oldLines: Number(oldLines),
    newStart: Number(newStart),
    newLines: Number(newLines),
    lines: lines
      .filter((line) => !line.startsWith("\\"))
      .map((line) => ({ kind: kinds[line[0] as keyof typeof kinds], text: line.slice(1) })),
  };
}
