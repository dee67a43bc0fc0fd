// The attacks of the stress test `bystander`: what each prepares on the instance, and which requests its attackers
// send. `prepare` runs in the stress test's process, `requests` in the attackers'.

import { bombs } from "../harness/bombs.ts";
import { contentBytes } from "../harness/content-bytes.ts";
import { withChecksum } from "../harness/database.ts";
import { uploadFiles } from "../harness/given-files.ts";
import { fresh, type Person } from "../harness/people.ts";
import {
  createdVersion,
  deepArrays,
  deepToolCall,
  escapedVersion,
  manyKeys,
  newVersion,
  oneString,
  requestNumber,
  type RequestParts,
} from "./bystander-bodies.ts";
import { everyLetterEdits, missingEdits } from "./large-edits.ts";

/**
 * How the instance is configured. `limits`: the rate limits that an instance has by default. `no limits`: without them,
 * for attacks that need no account or must be bounded by something else; one attacker then stands for many addresses.
 * `screenshots`: the default limits, and a browser process that captures each version.
 */
export type Condition = "limits" | "no limits" | "screenshots";

/** An author with a project, in a workspace that the bystander does not belong to. */
export interface Attacker {
  readonly person: Person;
  readonly projectSlug: string;
}

/** What `requests` needs to know; it is sent to the attackers' process as JSON. */
export interface Target {
  readonly token: string;
  /** An artifact of the attack; its type follows from the attack. */
  readonly artifactId: string;
  /** The site that has its images. */
  readonly imagesOrigin: string;
  /** From this address the requests come, as the proxy before the instance reports it. */
  readonly address: string;
}

/** `exchange` waits for each answer; `hold` keeps each connection open; `trickle` sends each body in small pieces. */
export type Manner = "exchange" | "hold" | "trickle";

export interface Attack {
  readonly name: string;
  readonly conditions: readonly Condition[];
  readonly connections: number;
  readonly manner: Manner;
  /** The statuses that the instance may answer with. */
  readonly statuses: readonly number[];
  prepare(attacker: Attacker): Promise<{ readonly artifactId: string }>;
  /** Sent in turn on each connection, in this order. */
  requests(target: Target): readonly RequestParts[];
}

const jsxText = "export default function App() { return <p>Text</p>; }\n";

const publish = async (
  { person, projectSlug }: Attacker,
  type: "md" | "jsx" | "html",
  content: string,
): Promise<{ artifactId: string }> =>
  person.client.call("artifact.create", {
    projectSlug,
    slug: fresh("attack"),
    type,
    title: "An attack",
    content,
    access: { publicView: true, publicEdit: false },
  });

const headersOf = ({ token, address }: Target): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  "x-forwarded-for": address,
});

/** A token of the right form with the right checksum that no instance has issued. */
const forgedToken = withChecksum(`plk_${"forged".repeat(5)}abc`);

/** Of an attacker with an account, on a text, answered or refused for its number, unless it says otherwise. */
const attack = (own: Pick<Attack, "name" | "connections" | "requests"> & Partial<Attack>): Attack => ({
  conditions: ["limits"],
  manner: "exchange",
  statuses: [200, 429, 503],
  prepare: (attacker) => publish(attacker, "md", "# Text\n"),
  ...own,
});

/** Requests of a stranger, for what is public. */
const strangersGet = ({ address }: Target, ...paths: readonly string[]): RequestParts[] =>
  paths.map((path) => ({ method: "GET", path, headers: { "x-forwarded-for": address } }));

const forged = (name: string, path: string, body: () => Buffer): Attack =>
  attack({
    name,
    conditions: ["limits", "no limits"],
    connections: 6,
    // A body that is too deep or too large may be refused before the token is looked up.
    statuses: [400, 401, 413, 429, 503],
    requests: (target) => {
      const headers = {
        ...headersOf({ ...target, token: forgedToken }),
        accept: "application/json, text/event-stream",
      };
      return [{ method: "POST", path, headers, body: body() }];
    },
  });

const bombing = (type: "md" | "jsx", comment: (text: string) => string): Attack => ({
  name: `bombs-${type}`,
  conditions: ["limits", "no limits"],
  connections: 12,
  manner: "exchange",
  // 400 is a source that does not compile; 503 is `busy`.
  statuses: [200, 201, 400, 429, 503],
  prepare: (attacker) => publish(attacker, type, type === "md" ? "# Text\n" : jsxText),
  requests: (target) => {
    const headers = headersOf(target);
    const at = `/api/artifacts/${target.artifactId}/versions`;
    return bombs
      .filter((bomb) => bomb.type === type)
      .flatMap(({ content }): RequestParts[] => [
        { method: "POST", path: at, headers, body: newVersion(comment(requestNumber) + content) },
        // A reader of the version, so that it is rendered.
        { method: "GET", path: `/_content/p/${target.artifactId}/${createdVersion}`, headers },
      ]);
  },
});

/** Publishes versions of one artifact, with a body that differs in each request where it has `requestNumber`. */
const publishing = (
  name: string,
  body: (target: Target) => Buffer,
  how: Pick<Attack, "conditions" | "connections"> & Partial<Pick<Attack, "manner" | "statuses">>,
  [type, text]: readonly ["md" | "html", string] = ["md", "# Text\n"],
): Attack => ({
  name,
  manner: "exchange",
  statuses: [201, 429, 503],
  ...how,
  prepare: (attacker) => publish(attacker, type, text),
  requests: (target) => [
    {
      method: "POST",
      path: `/api/artifacts/${target.artifactId}/versions`,
      headers: headersOf(target),
      body: body(target),
    },
  ],
});

const upload = { conditions: ["limits"], statuses: [201, 408, 413, 429, 503] } as const;

/** Words that all documents of the search attack have in common, and words that each has alone. */
const corpusWords = (document: number): string =>
  Array.from({ length: 2_500 }, (_, n) => (n % 2 === 0 ? `common${n % 40}` : `word${document}x${n}`)).join(" ");

const corpusSize = 100;

/** Two texts as large as the instance accepts that have no line in common. */
const largeText = (word: string): string => {
  const line = (n: number) => `${word} ${n} of a text that is as long as allowed\n`;
  const lines = Math.floor(contentBytes / line(99_999).length);
  return Array.from({ length: lines }, (_, n) => line(n)).join("");
};

/** Two packages as files and two that are bundled, none of which any version before it had. */
const loadingPackages = ["a", "b"]
  .flatMap((name) => [
    `<script src="https://unpkg.com/${name}-${requestNumber}@1.0.0/index.js"></script>`,
    `<script type="module">import "https://esm.sh/${name}m-${requestNumber}@1.0.0";</script>`,
  ])
  .join("");

/** As many as fit into the part of a body that is numbered. */
const showingImages = (origin: string): string =>
  Array.from({ length: 16 }, (_, n) => `![i](${origin}/${requestNumber}/${n}.png)`).join(" ");

export const attacks: readonly Attack[] = [
  forged("forged-string", "/api/artifacts", oneString),
  forged("forged-deep", "/api/artifacts", deepArrays),
  forged("forged-keys", "/api/artifacts", manyKeys),
  forged("forged-mcp", "/mcp", deepToolCall),
  attack({
    name: "valid-deep",
    connections: 6,
    statuses: [400, 413, 429, 503],
    requests: (target) => [{ method: "POST", path: "/api/artifacts", headers: headersOf(target), body: deepArrays() }],
  }),
  bombing("md", (text) => `${text}\n\n`),
  bombing("jsx", (text) => `// ${text}\n`),
  publishing("republish", () => newVersion(`# Version ${requestNumber}\n\nA small text.\n`), {
    conditions: ["limits", "screenshots"],
    connections: 8,
  }),
  attack({
    name: "event-streams",
    conditions: ["limits", "no limits"],
    connections: 400,
    manner: "hold",
    requests: ({ artifactId, address }) => [
      {
        method: "GET",
        path: `/api/artifacts/${artifactId}/events`,
        headers: { "x-forwarded-for": address, accept: "text/event-stream" },
      },
    ],
  }),
  attack({
    name: "search",
    connections: 12,
    async prepare(attacker) {
      let artifactId = "";
      for (let n = 0; n < corpusSize; n++) ({ artifactId } = await publish(attacker, "md", corpusWords(n)));
      return { artifactId };
    },
    requests: (target) =>
      ["common0 common2 common4 common6 common8", "c", "common", "word w x 1 2 3 4 5 6 7 8 9", "co wo"].map((q) => ({
        method: "GET",
        path: `/api/artifacts?limit=100&q=${encodeURIComponent(q)}`,
        headers: headersOf(target),
      })),
  }),
  attack({
    name: "diff",
    conditions: ["limits", "no limits"],
    connections: 6,
    statuses: [200, 413, 429, 503],
    async prepare(attacker) {
      const { artifactId } = await publish(attacker, "md", largeText("left"));
      for (const word of ["right", "other"])
        await attacker.person.client.call("version.create", { artifactId, content: largeText(word) });
      return { artifactId };
    },
    requests: (target) =>
      ["from=1&to=2", "from=2&to=3", "from=1&to=3", "from=3&to=1"].map((versions) => ({
        method: "GET",
        path: `/api/artifacts/${target.artifactId}/diff?${versions}`,
        headers: headersOf(target),
      })),
  }),
  attack({
    name: "parts",
    connections: 12,
    // 400 is a section that the text does not have.
    statuses: [200, 400, 429, 503],
    prepare: (attacker) => publish(attacker, "md", "a\n".repeat(contentBytes / 2)),
    requests: (target) => {
      const parts = ["grep=a", "grep=z", "outline=true", "section=nope", "startLine=1&endLine=1"];
      const content = `/api/artifacts/${target.artifactId}/content`;
      return strangersGet(target, ...[...parts, "startLine=1000000&grep=aa"].map((part) => `${content}?${part}`));
    },
  }),
  attack({
    name: "edits",
    connections: 8,
    // 400: no text is found, or more places are replaced than a request may.
    statuses: [200, 400, 413, 429, 503],
    prepare: (attacker) => publish(attacker, "md", "a\n".repeat(contentBytes / 2)),
    requests: (target) =>
      [missingEdits(100), everyLetterEdits(100), everyLetterEdits(2)].map((edits) => ({
        method: "POST",
        path: `/api/artifacts/${target.artifactId}/edits?dryRun=true`,
        headers: headersOf(target),
        body: Buffer.from(JSON.stringify({ edits })),
      })),
  }),
  attack({
    name: "archives",
    connections: 8,
    async prepare(attacker) {
      const { artifactId } = await publish(attacker, "md", "# Text\n");
      const [one, two] = [largeText("one").repeat(6), largeText("two").repeat(6)];
      const files = await uploadFiles(attacker.person, { "one.txt": one, "two.txt": two });
      await attacker.person.client.call("version.create", { artifactId, content: "# Text\n", files });
      return { artifactId };
    },
    requests: (target) => strangersGet(target, `/api/artifacts/${target.artifactId}/archive`),
  }),
  publishing("uploads-quick", escapedVersion, { ...upload, connections: 4 }),
  publishing("uploads-slow", escapedVersion, { ...upload, connections: 100, manner: "trickle" }),
  publishing(
    "package-fetches",
    () => newVersion(loadingPackages),
    { conditions: ["limits", "no limits"], connections: 8 },
    ["html", "<p>Text</p>"],
  ),
  publishing("image-fetches", ({ imagesOrigin }) => newVersion(showingImages(imagesOrigin)), {
    conditions: ["limits", "no limits"],
    connections: 8,
  }),
];
