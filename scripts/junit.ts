// Reads the JUnit report of `bun test`.
import { XMLParser } from "fast-xml-parser";

export interface Outcome {
  readonly file: string;
  /** With the names of the enclosing groups. */
  readonly name: string;
  readonly seconds: number;
  readonly isSkipped: boolean;
  /** The message and the stack, where it failed. */
  readonly failure?: string;
}

interface Case {
  readonly file: string;
  readonly name: string;
  readonly classname: string;
  readonly time: string;
  readonly skipped?: unknown;
  readonly failure?: readonly (Failure | string)[];
  readonly error?: readonly (Failure | string)[];
}

interface Failure {
  readonly "#text"?: string;
  readonly message?: string;
}

interface Suite {
  readonly testsuite?: readonly Suite[];
  readonly testcase?: readonly Case[];
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "",
  parseTagValue: false,
  // Reports have no other entities, but a long report exceeds the parser's default limit of replacements.
  processEntities: { enabled: true, maxTotalExpansions: Infinity, maxExpandedLength: Infinity },
  htmlEntities: true,
  isArray: (name) => ["testsuite", "testcase", "failure", "error"].includes(name),
});

/** The outcome of each test of a report. */
export function readOutcomes(xml: string): Outcome[] {
  const { testsuites } = parser.parse(xml) as { testsuites?: Suite };
  return testsuites ? casesOf(testsuites).map(outcomeOf) : [];
}

const casesOf = (suite: Suite): Case[] => [...(suite.testcase ?? []), ...(suite.testsuite ?? []).flatMap(casesOf)];

function outcomeOf(one: Case): Outcome {
  const failures = [...(one.failure ?? []), ...(one.error ?? [])].map((failure) =>
    typeof failure === "string" ? failure : (failure["#text"] ?? failure.message ?? ""),
  );
  return {
    file: one.file,
    name: [one.classname, one.name].filter((part) => part !== "").join(" > "),
    seconds: Number(one.time),
    isSkipped: one.skipped !== undefined,
    ...(failures.length > 0 ? { failure: failures.join("\n") } : {}),
  };
}
