// Prints how the documents of a run came out: a table by type, then each cause with its documents.
import type { ArtifactType } from "@plinth/contract/schemas/artifact";

import type { Cause, Verdict } from "./documents-compare.ts";

export interface Outcome extends Verdict {
  readonly name: string;
  readonly type: ArtifactType;
}

/** The part of each type that must be as its author meant. */
const claimed: Readonly<Record<ArtifactType, number>> = { html: 0.95, jsx: 0.97, md: 1 };

interface Row {
  readonly documents: number;
  readonly asReference: number;
  readonly differ: number;
  readonly needFiles: number;
}

const needsFiles = ({ missingFiles }: Outcome): boolean => missingFiles.length > 0;

/** Documents without the files beside them show nothing of what they would be with them. */
export function countsOf(outcomes: readonly Outcome[]): Row {
  const needFiles = outcomes.filter(needsFiles).length;
  const differ = outcomes.filter((one) => one.causes.length > 0 && !needsFiles(one)).length;
  return { documents: outcomes.length, asReference: outcomes.length - differ - needFiles, differ, needFiles };
}

/** The types of which fewer documents than claimed are as their authors meant. */
export function refutedTypes(outcomes: readonly Outcome[]): string[] {
  return [...Map.groupBy(outcomes, ({ type }) => type)].flatMap(([type, some]) => {
    const { asReference, differ } = countsOf(some);
    const part = asReference / Math.max(1, asReference + differ);
    return part < claimed[type] ? [`${type}: ${percent(part)} of the ${percent(claimed[type])} that are claimed`] : [];
  });
}

const percent = (part: number): string => `${Math.floor(part * 1000) / 10} %`;

export function reportOf(outcomes: readonly Outcome[]): string {
  const byType = [...Map.groupBy(outcomes, ({ type }) => type)];
  const table = byType.map(([type, some]) => {
    const { documents, asReference, differ, needFiles } = countsOf(some);
    const part = percent(asReference / Math.max(1, asReference + differ));
    return {
      type,
      documents,
      "as the reference": `${asReference} (${part})`,
      differ,
      "need files beside them": needFiles,
    };
  });
  const sections = byType.flatMap(([type, some]) => {
    const [apart, own] = [some.filter(needsFiles), some.filter((one) => !needsFiles(one))];
    return [
      ...section(`${type}: causes`, own, ({ causes }) => causes),
      ...section(`${type}: need files beside them`, apart, ({ causes, missingFiles }) => [...missingFiles, ...causes]),
      ...section(`${type}: what no instance can load here`, some, ({ elsewhere }) => elsewhere),
    ];
  });
  return [Bun.inspect.table(table), ...sections].join("\n");
}

function section(title: string, outcomes: readonly Outcome[], of: (outcome: Outcome) => readonly Cause[]): string[] {
  const found = outcomes.flatMap((outcome) => of(outcome).map((cause) => ({ name: outcome.name, ...cause })));
  const kinds = [...Map.groupBy(found, ({ kind }) => kind)]
    .map(([kind, some]) => ({ kind, some, documents: new Set(some.map(({ name }) => name)).size }))
    .toSorted((one, other) => other.documents - one.documents);
  return kinds.length === 0
    ? []
    : [
        "",
        title,
        ...kinds.flatMap(({ kind, some, documents }) => [
          `  ${kind}: ${documents}`,
          ...[...Map.groupBy(some, ({ name }) => name)].map(([name, causes]) => `    ${name}: ${detailsOf(causes)}`),
        ]),
      ];
}

const mostDetails = 4;

const detailsOf = (causes: readonly Cause[]): string =>
  [
    ...causes.slice(0, mostDetails).map(({ detail }) => detail.slice(0, 200)),
    ...(causes.length > mostDetails ? [`and ${causes.length - mostDetails} more`] : []),
  ].join(" | ");
