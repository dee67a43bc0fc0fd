import { expect, test } from "bun:test";

import { emptyDirectory } from "../testing/line.ts";
import { openJournal } from "./journal.ts";

test("a file that arrived gets a new key at the next push while others keep theirs", () => {
  const said: string[] = [];
  const env = { XDG_STATE_HOME: emptyDirectory() };
  const target = { origin: "http://localhost:3000", owner: "ada", projectSlug: "demo" };
  const journal = openJournal(env, target, (message) => said.push(message));
  const [arrived, waiting] = ["arrived", "waiting"].map((slug) => ({ path: `/${slug}.md`, slug, sha256: slug }));
  if (arrived === undefined || waiting === undefined) throw new Error("there are no files");
  const [first, second] = journal.start([arrived, waiting]);
  journal.finish([arrived]);
  const [again, same] = journal.start([arrived, waiting]);
  expect(same).toBe(second ?? "");
  expect(again).not.toBe(first ?? "");
  expect(said).toEqual([]);
});
