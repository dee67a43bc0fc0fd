// HTML reports as tools write them: bundle maps of an installed library, the coverage of our own tests, the reference
// of our own API. They are written into the caller's folder.
import { readdir } from "node:fs/promises";
import { join } from "node:path";

import { openApi } from "@plinth/contract/openapi";
import coverage from "istanbul-lib-coverage";
import report from "istanbul-lib-report";
import reports from "istanbul-reports";
import { rolldown } from "rolldown";
import { visualizer } from "rollup-plugin-visualizer";

import { outputOf, repository } from "../harness/process.ts";

const templates = ["treemap", "sunburst", "flamegraph"] as const;

/** Writes the map of fast-check's bundle, once for each kind of chart. */
export async function writeBundleMaps(folder: string): Promise<string[]> {
  const files = templates.map((template) => join(folder, `bundle-${template}.html`));
  const bundle = await rolldown({
    input: import.meta.resolve("fast-check").replace("file://", ""),
    plugins: templates.map((template, index) =>
      visualizer({ template, filename: files[index] ?? "", title: `Bundle ${template}` }),
    ),
  });
  await bundle.write({ dir: join(folder, "bundle") });
  await bundle.close();
  return files;
}

/** Runs a few of our tests with coverage and writes its pages: the summary and one for each file. */
export async function writeCoverage(folder: string): Promise<string[]> {
  const lcov = join(folder, "lcov");
  const covered = ["--coverage", "--coverage-reporter=lcov", `--coverage-dir=${lcov}`];
  await outputOf([process.execPath, "test", ...covered, "e2e/stress/wire.test.ts"], { cwd: repository });
  const pages = join(folder, "coverage");
  const context = report.createContext({
    dir: pages,
    coverageMap: coverage.createCoverageMap(fromLcov(await Bun.file(join(lcov, "lcov.info")).text())),
  });
  reports.create("html").execute(context);
  return (await readdir(pages, { recursive: true }))
    .filter((name) => name.endsWith(".html"))
    .map((name) => join(pages, name));
}

/** One statement per line, because lcov has only lines. */
function fromLcov(lcov: string): Record<string, coverage.FileCoverageData> {
  const records = lcov.split("end_of_record").filter((record) => record.includes("SF:"));
  return Object.fromEntries(
    records.map((record) => {
      const path = join(repository, /^SF:(.+)$/m.exec(record)?.[1] ?? "");
      const lines = [...record.matchAll(/^DA:(\d+),(\d+)/gm)].map(
        ([, line, hits]) => [Number(line), Number(hits)] as const,
      );
      const at = (line: number) => ({ start: { line, column: 0 }, end: { line, column: 1000 } });
      const statementMap = Object.fromEntries(lines.map(([line]) => [line, at(line)]));
      return [path, { path, statementMap, s: Object.fromEntries(lines), fnMap: {}, f: {}, branchMap: {}, b: {} }];
    }),
  );
}

/** Writes the reference of our API as one page. */
export async function writeReference(folder: string): Promise<string[]> {
  const source = join(folder, "openapi.json");
  const page = join(folder, "reference.html");
  await Bun.write(source, JSON.stringify(openApi({ version: "0.1.0", publicUrl: "http://localhost:3000" })));
  const command = [process.execPath, "--bun", "redocly", "build-docs", source, "--output", page];
  const env = { ...process.env, REDOCLY_TELEMETRY: "off" };
  await outputOf(command, { cwd: join(repository, "e2e"), env });
  return [page];
}
