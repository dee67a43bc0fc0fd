// The MCP project's own suites against a running instance: every scenario that applies passes with all its checks.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";

import { createArtifact } from "../harness/people.ts";
import { hung } from "../harness/process.ts";
import { startBearerProxy, type BearerProxy } from "./bearer-proxy.ts";
import { openBothWays, ways, type BothWays, type Way } from "./both-ways.ts";
import { general, outcomesOf, scenariosOf, type Outcome, type Suite } from "./conformance-suite.ts";
import { notApplicable } from "./not-applicable.ts";

setDefaultTimeout(3 * hung);

let fixtures: BothWays;
const proxies = new Map<Way, BearerProxy>();
beforeAll(async () => {
  fixtures = await openBothWays();
  await createArtifact(fixtures.person, fixtures.projectSlug);
  // The suites have no option for a credential.
  for (const way of ways) proxies.set(way, await startBearerProxy(fixtures.origins[way], fixtures.person.token));
});
afterAll(async () => {
  for (const proxy of proxies.values()) proxy.stop();
  await fixtures.close();
});

const suites: readonly Suite[] = ["0.1.16", "0.2.0-alpha.12"];

/** Without a revision each scenario runs in its own newest, those of extensions too. */
const runs: readonly { readonly suite: Suite; readonly revision?: string; readonly way: Way }[] = [
  { suite: "0.1.16", way: "directly" },
  { suite: "0.1.16", way: "through the web app" },
  { suite: "0.2.0-alpha.12", way: "directly" },
  { suite: "0.2.0-alpha.12", way: "directly", revision: "2025-03-26" },
  { suite: "0.2.0-alpha.12", way: "directly", revision: "2025-06-18" },
  { suite: "0.2.0-alpha.12", way: "directly", revision: "2025-11-25" },
  { suite: "0.2.0-alpha.12", way: "directly", revision: "2026-07-28" },
  { suite: "0.2.0-alpha.12", way: "through the web app", revision: "2026-07-28" },
];

type Verdict = "passes" | "no check holds" | readonly string[];

/** What it comes to: else the checks that don't hold. */
function verdictOf({ met, unmet }: Outcome): Verdict {
  if (met.length > 0 && unmet.length === 0) return "passes";
  return met.length === 0 && !unmet.includes(general) ? "no check holds" : unmet;
}

function expectedOf(scenario: string, revision: string | undefined): Verdict {
  const entry = notApplicable[scenario];
  if (entry === undefined || (entry.before2026 && revision === "2026-07-28")) return "passes";
  return entry.unmet?.toSorted() ?? "no check holds";
}

for (const { suite, revision, way } of runs) {
  const name = `${suite}${revision === undefined ? "" : ` in ${revision}`}, ${way}`;
  test(`suite ${name}: every scenario passes but for those that don't apply, and they still don't`, async () => {
    const scenarios = await scenariosOf(suite);
    const outcomes = await outcomesOf(suite, `${proxies.get(way)?.origin}/mcp`, revision);
    const verdicts = [...outcomes].map(([scenario, outcome]) => [scenario, verdictOf(outcome)] as const);
    const expected = [...scenarios]
      .filter(([, revisions]) => revision === undefined || revisions.includes(revision))
      .map(([scenario]) => [scenario, expectedOf(scenario, revision)] as const);
    expect(Object.fromEntries(verdicts)).toEqual(Object.fromEntries(expected));
    const passed = verdicts.filter(([, verdict]) => verdict === "passes");
    const met = [...outcomes.values()].flatMap(({ met }) => met);
    console.info(`${name}: ${passed.length} of ${outcomes.size} scenarios pass; ${met.length} checks hold`);
  });
}

test("every scenario listed as not applicable is in a suite", async () => {
  const known = await Promise.all(suites.map(scenariosOf));
  expect(Object.keys(notApplicable).filter((scenario) => !known.some((names) => names.has(scenario)))).toEqual([]);
});
