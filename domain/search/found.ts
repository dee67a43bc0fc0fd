// The part of a statement that finds and scores the matches that the caller may see. The search documents narrow the
// matches; access is checked on the artifact each time.
import { artifact, searchDocument } from "@plinth/db/schema/artifacts";
import { sql, type SQL } from "drizzle-orm";

import { turnsOfMark } from "./marks.ts";
import type { SearchQuery } from "./query.ts";

/** Matches of one kind that are ranked, those of the last changes. */
const ranked = 1000;
/** So many are enough not to look further back. */
const enough = 200;
/** With fewer, typos are forgiven and parts of words are found. */
const fewStrict = 5;
/** Of those, how many are ranked. */
const rankedForgiven = 500;

export interface Within {
  /** Whether public documents are searched. */
  readonly isPublic: boolean;
  /** What private documents must have (marks.ts), the caller's workspaces; null where none is searched. */
  readonly own: SQL | null;
  /** What every document must have beside the words; null without. */
  readonly marks: SQL | null;
  /** What may be shown, on one row of an artifact. */
  readonly conditions: readonly SQL[];
  /** The identifiers of single artifacts that the caller may see as well, which the marks do not tell. */
  readonly guests: readonly SQL[];
}

const all = (conditions: readonly SQL[]): SQL => sql.join([...conditions], sql` AND `);
const limit = (count: number): SQL => sql.raw(`LIMIT ${count}`);

/** Rows of `artifact_id`, `updated_at` and `score`, from 0 to 1000. */
export function scored(query: SearchQuery, within: Within): SQL {
  const strict = [...strictFinds(within), ...guestFinds(within, matchOf(sql`ranked`), "guest_strict")];
  const forgiving = forgivingFinds(query, within);
  const names = (finds: readonly Find[]) =>
    sql.join(
      finds.map(({ name }) => sql.raw(`SELECT artifact_id, document, updated_at FROM ${name}`)),
      sql` UNION ALL `,
    );
  const distinct = (finds: readonly Find[]) =>
    finds.length === 0
      ? sql`SELECT NULL::uuid AS artifact_id, NULL::tid AS document, NULL::timestamptz AS updated_at WHERE false`
      : sql`SELECT DISTINCT artifact_id, document, updated_at FROM (${names(finds)}) AS each`;
  const parts = [
    sql`asked AS MATERIALIZED (${asked(query, within)})`,
    ...guestList(within),
    ...strict.map(({ step }) => step),
    sql`strict AS MATERIALIZED (${distinct(strict)})`,
    ...forgiving.map(({ step }) => step),
    sql`found AS MATERIALIZED (
      SELECT *, true AS is_strict FROM strict
      UNION ALL SELECT *, false FROM (${distinct(forgiving)}) AS loose
      WHERE artifact_id NOT IN (SELECT artifact_id FROM strict))`,
  ];
  return sql`WITH ${sql.join(parts, sql`, `)}
    SELECT artifact_id, updated_at, ${score} AS score FROM (
      SELECT found.artifact_id, found.updated_at, found.is_strict, asked.phrase, asked.weighed, document.*,
        ${inTitle}, ${nearTitle}
      FROM asked CROSS JOIN found
      CROSS JOIN LATERAL (
        SELECT ${searchDocument.name}, ${searchDocument.words} FROM ${searchDocument}
        WHERE ${searchDocument}.ctid = found.document LIMIT 1) AS document
      OFFSET 0) AS counted`;
}

/**
 * A step of the statement that selects `artifact_id`, `updated_at` and `document`: where in its table the search document
 * is, which no write changes for the statement, so that it is read again without its index.
 */
interface Find {
  readonly name: string;
  readonly step: SQL;
}

/** As values of a statement's row, of which PostgreSQL makes no estimate that could mislead it. */
function asked(query: SearchQuery, { own, marks }: Within): SQL {
  const { anywhere, anywhereBeginning, weighed, title, titleBeginning, wholeTitle, phrase, inTitle, forgiving } = query;
  const tsquery = (text: string | null) => sql`${text}::text::tsquery`;
  const texts = (list: readonly string[]) =>
    sql`ARRAY(SELECT json_array_elements_text(${JSON.stringify(list)}::text::json))`;
  return sql`SELECT ${tsquery(anywhere)} AS strict, ${tsquery(anywhereBeginning)} AS strict_beginning,
    ${tsquery(title)} AS title, ${tsquery(titleBeginning)} AS title_beginning, ${tsquery(wholeTitle)} AS whole_title,
    ${tsquery(anywhereBeginning ?? anywhere)} AS ranked, ${tsquery(weighed)} AS weighed, ${tsquery(forgiving?.anywhere ?? null)} AS forgiving,
    ${phrase}::text AS phrase, ${texts(inTitle)} AS in_title, ${texts(forgiving?.eachInTitle ?? [])}::tsquery[] AS each_forgiving,
    ${own ?? sql`NULL::tsquery`} AS own, ${marks ?? sql`''::tsquery`} AS marks, last_value AS turn
    FROM search_document_turn_seq`;
}

/** The documents of the last one or two marks of that size. */
const recent = (sign: string, turns: number): SQL => {
  const mark = (turn: string) => `('''${sign}' || greatest(0, ${turn}) || '''')::tsquery`;
  return sql.raw(`(${mark(`turn / ${turns}`)} || ${mark(`turn / ${turns} - 1`)})`);
};

const lastChanges = recent("#", turnsOfMark.few);
const moreChanges = recent("##", turnsOfMark.many);

/** Words that begin with the last one come after it: PostgreSQL reads all that it knows of each of them. */
const steps = [
  ["words", lastChanges],
  ["words", moreChanges],
  ["words", null],
  ["beginnings", moreChanges],
  ["beginnings", null],
] as const;

/**
 * Anywhere, in the whole title, and in the title. Each title that has the words is a match anywhere, so titles are
 * searched only if matches anywhere were left out.
 */
function strictFinds(within: Within): Find[] {
  if (!isSearched(within)) return [];
  const anywhere = findsOf("strict", { words: [], beginnings: [] }, within);
  const exact = anywhere.filter((_, index) => steps[index]?.[0] === "words");
  const leftOut = {
    words: [leavesOut(exact)],
    beginnings: [sql`(${leavesOut(anywhere)} OR (SELECT strict_beginning IS NULL FROM asked))`],
  };
  const wholeTitles = find("whole_titles", sql`whole_title`, leftOut.words, within, ranked);
  return [...anywhere, wholeTitles, ...findsOf("title", leftOut, within)];
}

/**
 * Of the last changes first, and further back only where those do not have enough. So a word that most documents have
 * costs no more than one that some have.
 */
function findsOf(
  kind: "strict" | "title",
  gates: Readonly<Record<"words" | "beginnings", readonly SQL[]>>,
  within: Within,
): Find[] {
  const before: SQL[] = [];
  return steps.map(([asked, mark], index) => {
    const name = `in_${kind}_${index}`;
    const query = sql.raw(asked === "words" ? kind : `${kind}_beginning`);
    const narrowed = mark === null ? query : sql`${query} && ${mark}`;
    const step = find(name, narrowed, [...gates[asked], ...before], within, ranked);
    before.push(sql`NOT ${hasRows(enough, name)}`);
    return step;
  });
}

/** Whether one of these steps ended the search, or the last one has as many as are ranked. */
const leavesOut = (finds: readonly Find[]): SQL =>
  sql`(${sql.join(
    finds.map(({ name }, index) => hasRows(index === finds.length - 1 ? ranked : enough, name)),
    sql` OR `,
  )})`;

/** Whether the step has so many rows; reads no more of them. */
const hasRows = (count: number, name: string): SQL => sql.raw(`EXISTS (SELECT FROM ${name} OFFSET ${count - 1})`);

/** A subquery, so that PostgreSQL plans without an estimate of the words. */
const matchOf = (query: SQL): SQL => sql`${searchDocument.words} @@ (SELECT ${query} FROM asked)`;

const isSearched = ({ isPublic, own }: Within): boolean => isPublic || own !== null;

/** Each of public and private documents by its own index. */
function find(name: string, query: SQL, gates: readonly SQL[], within: Within, count: number): Find {
  const match = (more: SQL) => matchOf(sql`${query} && marks${more}`);
  return found(
    name,
    [
      [sql`${searchDocument.publicView}`, match(sql``)],
      [sql`NOT ${searchDocument.publicView}`, match(sql` && own`)],
    ],
    gates,
    within,
    count,
  );
}

/** The visible ones of the last changes, by a condition on public documents and one on private ones. */
function found(
  name: string,
  [publicOnes, privateOnes]: readonly [readonly SQL[], readonly SQL[]],
  gates: readonly SQL[],
  { isPublic, own, conditions }: Within,
  count: number,
): Find {
  const walks = [...(isPublic ? [publicOnes] : []), ...(own === null ? [] : [privateOnes])].map(
    (where) => sql`SELECT ${searchDocument.artifactId}, ${searchDocument}.ctid AS document, ${searchDocument.turn}
      FROM ${searchDocument} WHERE ${all([...gates, ...where])}`,
  );
  const step = sql`${sql.raw(name)} AS MATERIALIZED (
    SELECT matched.artifact_id, matched.document, seen.updated_at FROM (
      SELECT * FROM (${sql.join(walks, sql` UNION ALL `)}) AS walked ORDER BY turn DESC OFFSET 0) AS matched
    CROSS JOIN LATERAL (${seen(sql`matched.artifact_id`, conditions)}) AS seen
    ORDER BY matched.turn DESC ${limit(count)})`;
  return { name, step };
}

const seen = (artifactId: SQL, conditions: readonly SQL[]): SQL =>
  sql`SELECT ${artifact.updatedAt} FROM ${artifact}
    WHERE ${all([sql`${artifact.artifactId} = ${artifactId}`, ...conditions])} LIMIT 1`;

/** The single artifacts that the caller may see, each looked up. */
function guestList({ guests, conditions }: Within): SQL[] {
  if (guests.length === 0) return [];
  return [
    sql`guests AS MATERIALIZED (
      SELECT listed.artifact_id, seen.updated_at FROM (${sql.join([...guests], sql` UNION `)}) AS listed
      CROSS JOIN LATERAL (${seen(sql`listed.artifact_id`, conditions)}) AS seen)`,
  ];
}

function guestFinds({ guests }: Within, match: SQL, name: string, gates: readonly SQL[] = []): Find[] {
  if (guests.length === 0) return [];
  const step = sql`${sql.raw(name)} AS MATERIALIZED (
    SELECT guests.artifact_id, matched.document, guests.updated_at FROM guests
    CROSS JOIN LATERAL (
      SELECT ${searchDocument}.ctid AS document FROM ${searchDocument} WHERE ${searchDocument.artifactId} = guests.artifact_id
        AND ${match} LIMIT 1) AS matched
    WHERE ${all([sql`true`, ...gates])})`;
  return [{ name, step }];
}

/** Titles that differ by a typo, and names of which the words are parts: only where nearly nothing was found. */
function forgivingFinds({ forgiving }: SearchQuery, within: Within): Find[] {
  if (forgiving === null) return [];
  const gates = [sql`NOT ${hasRows(fewStrict, "strict")}`];
  const { indexedParts, parts } = forgiving;
  const inParts = sql`${searchDocument.name} LIKE ALL (ARRAY(SELECT json_array_elements_text(${JSON.stringify(parts)}::text::json)))`;
  const near = sql`(${matchOf(sql`forgiving`)} OR ${inParts})`;
  const finds = guestFinds(within, near, "guest_forgiving", gates);
  if (!isSearched(within)) return finds;
  finds.push(find("forgiven", sql`forgiving`, gates, within, rankedForgiven));
  if (indexedParts === null) return finds;
  const inName = [...indexedParts.map((part) => sql`${searchDocument.name} LIKE ${part}`), inParts];
  const own = matchOf(sql`own`);
  const walks = [
    [sql`${searchDocument.publicView}`, ...inName],
    [sql`NOT ${searchDocument.publicView}`, own, ...inName],
  ] as const;
  return [...finds, found("in_parts", walks, gates, within, rankedForgiven)];
}

/** How many words of the query stand in title and slug, how many there are, and how many the title has. */
const inTitle = sql.raw(`
  (SELECT count(*) FROM unnest(asked.in_title) AS word
    WHERE strpos(' ' || translate(document.name, E'\\n-', '  ') || ' ', word) > 0)::float AS title_hits,
  cardinality(asked.in_title)::float AS asked_words,
  cardinality(string_to_array(split_part(document.name, E'\\n', 1), ' '))::float AS title_words`);

/** How many words of the query are in the title with a typo at most. */
const nearTitle = sql.raw(`
  CASE WHEN found.is_strict THEN NULL ELSE (
    SELECT count(*) FROM unnest(asked.each_forgiving) AS query WHERE document.words @@ query)::float END AS near_hits`);

/**
 * Bands by where the words stand, in the order of docs/reference/contract.md §4, "Search"; within a band how much of
 * the title they are, and how often and how near to each other they stand.
 */
const score = sql.raw(`(CASE
  WHEN NOT is_strict THEN 300 * near_hits / asked_words + 100 * least(1, near_hits / title_words)
    + 60 * ts_rank('{0.1, 0.1, 0.6, 1}', words, weighed, 1)
  WHEN starts_with(name, phrase || E'\\n') THEN 1000
  WHEN title_hits = asked_words THEN 750 + 200 * least(1, asked_words / title_words)
  ELSE 400 * title_hits / asked_words + 60 * title_hits / title_words
    + 400 * ts_rank('{0.1, 0.1, 0.6, 1}', words, weighed, 1)
END)::int`);
