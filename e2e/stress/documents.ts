// Documents of a folder on a running instance, beside the same documents in plain Chromium: what a reader sees is what
// the author meant. Prints a table and the causes, and writes contact sheets for review.
import { SQL } from "bun";
import { basename, join } from "node:path";

import type { Browser, BrowserContext } from "playwright-core";
import { percentDecoded } from "@plinth/platform/malformed";

import { databaseUrlOf } from "../harness/embedded-database.ts";
import { openBrowser } from "../harness/browser.ts";
import { commandLine } from "../harness/command-line.ts";
import { startInstance } from "../harness/instance.ts";
import { createPerson, createProject } from "../harness/people.ts";
import { hung, repository, temporaryFolder } from "../harness/process.ts";
import { writeContactSheet } from "./contact-sheet.ts";
import { compare, type Verdict } from "./documents-compare.ts";
import { sourceVerdict } from "./documents-source.ts";
import { cdnOf } from "./documents-packages.ts";
import { leaves, lookAtPublished, type Publishing } from "./documents-published.ts";
import { lookAtReference } from "./documents-reference.ts";
import { refutedTypes, reportOf, type Outcome } from "./documents-report.ts";
import { documentsIn, ownSet, type SetDocument } from "./documents-set.ts";
import { assert, inParallel, type StressTest } from "./stress-test.ts";

/** Pages at once: each of them computes. */
const width = 2;
/** Of the window, for a document of which no frame is left. */
const defaultSize = { width: 1280, height: 900 };
/** Documents on a contact sheet, each with its reference. */
const onSheet = 12;

export const documents: StressTest = {
  claim: "what readers see of real documents is what their authors meant",
  count: 1_000,
  shortCount: 1_000,
  takesFolder: true,
  async run({ count, only, folder = ownSet, registry = npmRegistry() }) {
    const set = await documentsIn(folder, count, only);
    assert(set.length > 0, () => `there is no document in ${folder}`);
    const screenshots = await temporaryFolder("documents");
    const outcomes = await outcomesOf(set, registry, screenshots);
    const sheets = await sheetsOf(set, screenshots);
    console.error(`${reportOf(outcomes)}\n\nscreenshots and contact sheets: ${screenshots}`);
    const refuted = refutedTypes(outcomes);
    assert(refuted.length === 0, () => refuted.join(", "));
    return { documents: set.length, sheets };
  },
};

/** The registry of the machine's npm. */
function npmRegistry(): string {
  // npm refuses to answer in a workspace's folder.
  const { stdout } = Bun.spawnSync(["npm", "config", "get", "registry"], { cwd: repository });
  const url = stdout.toString().trim().replace(/\/$/, "");
  assert(URL.canParse(url), () => "npm names no registry");
  return url;
}

async function outcomesOf(set: readonly SetDocument[], registry: string, screenshots: string): Promise<Outcome[]> {
  const instance = await startInstance({ env: { PACKAGE_REGISTRY: registry, MAX_CONTENT_BYTES: "" } });
  const sql = new SQL(databaseUrlOf(instance.dataDir), { max: 2 });
  const plinth = await commandLine(instance.origin);
  const browser = await openBrowser();
  const outcomes = new Map<SetDocument, Outcome>();
  try {
    const author = await createPerson(instance);
    const { slug: projectSlug } = await createProject(author);
    const [readers, authors] = await Promise.all([openWindow(browser), openWindow(browser)]);
    const askCdn = cdnOf(registry);
    const comparing: Comparing = { readers, authors, sql, author, projectSlug, plinth, askCdn, screenshots };
    await inParallel(set.length, width, async (index) => {
      const document = set[index];
      if (document === undefined) return;
      const verdict = await verdictOf(comparing, document).catch(asCause);
      outcomes.set(document, { name: document.name, type: document.type, ...verdict });
      // Printed as soon as it is found, because a whole run takes long.
      const kinds = [...new Set(verdict.causes.map(({ kind }) => kind))].join(", ") || "as the reference";
      console.error(`${index + 1} of ${set.length}: ${document.name}: ${kinds}`);
    });
  } finally {
    await browser.close();
    await plinth.remove();
    await sql.close();
    await instance.stop();
  }
  return set.flatMap((document) => outcomes.get(document) ?? []);
}

/** A private window without time limits: a page on a busy machine is slow and not broken. */
async function openWindow(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: defaultSize, serviceWorkers: "block" });
  context.setDefaultTimeout(hung);
  return context;
}

interface Comparing extends Publishing {
  readonly authors: BrowserContext;
  readonly askCdn: ReturnType<typeof cdnOf>;
  readonly screenshots: string;
}

async function verdictOf(comparing: Comparing, document: SetDocument): Promise<Verdict> {
  const published = await lookAtPublished(
    comparing,
    document,
    screenshotOf(comparing.screenshots, document, "published"),
  );
  const screenshot = screenshotOf(comparing.screenshots, document, "reference");
  if (published === leaves) {
    const reference = await lookAtReference(comparing, document, { viewport: defaultSize, screenshot });
    const causes = reference.leaves ? [] : [{ kind: "leaves its page", detail: "its reference stays" }];
    return { causes, elsewhere: [], missingFiles: [] };
  }
  if ("refused" in published) return refusalVerdict(published.refused);
  const { look, missing, notFound, size } = published;
  if (document.type !== "html") return knownMissing(document, notFound, sourceVerdict(document, look, missing));
  const reference = await lookAtReference(comparing, document, { viewport: size, screenshot });
  return knownMissing(document, notFound, compare(look, missing, reference));
}

/** A document that was pushed with its files is judged as it is; that the push does not name a file that the set lacks is a cause. */
function knownMissing({ beside }: SetDocument, notFound: readonly string[], verdict: Verdict): Verdict {
  if (beside === undefined) return verdict;
  const named = new Set(notFound.map(nameOf));
  const unnamed = beside.lacks.filter((path) => !named.has(nameOf(path)));
  const unpublished = new Set([...verdict.missingFiles.map(({ detail }) => detail), ...beside.lacks].map(nameOf));
  const causes = [
    ...verdict.causes.filter(
      ({ kind, detail }) => kind !== "package: not-published" || !unpublished.has(nameOf(detail.replace(/ \(.*$/, ""))),
    ),
    ...unnamed.map((detail) => ({ kind: "not in the push's report", detail })),
  ];
  return { ...verdict, causes, missingFiles: [] };
}

/** The name of a file by its path or its URL. */
const nameOf = (url: string): string => basename(percentDecoded(url.replace(/[?#].*$/, "")) ?? "");

/** A document that imports a file beside it is refused. */
const refusalVerdict = (refused: string): Verdict => ({
  causes: [{ kind: "refused", detail: refused }],
  elsewhere: [],
  missingFiles: refused.includes("no such file beside the document")
    ? [{ kind: "file beside it", detail: refused }]
    : [],
});

/** A document that does not settle, or whose page does not open, is one that differs. */
const asCause = (error: unknown): Verdict => ({
  causes: [
    { kind: "not opened", detail: error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error) },
  ],
  elsewhere: [],
  missingFiles: [],
});

const screenshotOf = (folder: string, { name }: SetDocument, side: "published" | "reference"): string =>
  join(folder, `${name.replaceAll(/[^\w.-]+/g, "-")}-${side}.jpg`);

async function sheetsOf(set: readonly SetDocument[], folder: string): Promise<string[]> {
  const pairs = set.map((document) => [
    screenshotOf(folder, document, "published"),
    screenshotOf(folder, document, "reference"),
  ]);
  const sheets: string[] = [];
  for (let first = 0; first < pairs.length; first += onSheet) {
    const files = pairs.slice(first, first + onSheet).flat();
    const there = await Promise.all(files.map(async (file) => ((await Bun.file(file).exists()) ? [file] : [])));
    sheets.push(await writeContactSheet(there.flat(), join(folder, `sheet-${first / onSheet + 1}.png`)));
  }
  return sheets;
}
