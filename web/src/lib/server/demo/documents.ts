// The content of the demo project: four documents of an invented company, oldest version first. Each is a file, which
// this module reads only to publish it.
import type { ArtifactType } from "@plinth/contract/schemas/artifact";
import network from "./contents/network.html?raw";
import passes from "./contents/passes.jsx.txt?raw";
import report from "./contents/report.md?raw";
import winterHours1 from "./contents/winter-hours-1.md?raw";
import winterHours2 from "./contents/winter-hours-2.md?raw";
import winterHours3 from "./contents/winter-hours-3.md?raw";
import winterHours4 from "./contents/winter-hours-4.md?raw";

export interface DemoDocument {
  readonly slug: string;
  readonly type: ArtifactType;
  readonly title: string;
  readonly description: string;
  readonly versions: readonly [Edition, ...Edition[]];
  /** The days for which a share link to it is valid; none without. */
  readonly sharedForDays?: number;
}

interface Edition {
  readonly content: string;
  readonly changelog: string;
}

const once = (content: string): [Edition] => [{ content, changelog: "Came with the demo project" }];

export const demoDocuments: readonly DemoDocument[] = [
  {
    slug: "passes",
    type: "jsx",
    title: "Which pass is yours?",
    description: "A prototype in React with components, icons and state. Move the sliders.",
    versions: once(passes),
  },
  {
    slug: "network",
    type: "html",
    title: "The network on one day",
    description: "A dashboard in one HTML file that asks nobody else for anything.",
    versions: once(network),
  },
  {
    slug: "winter-hours",
    type: "md",
    title: "Winter hours for the van",
    description: "A proposal in four versions. Its history says who wanted what, and a link shows it for a week.",
    versions: [
      { content: winterHours1, changelog: "First draft, from Tuesday's notes" },
      { content: winterHours2, changelog: "Figures in place of adjectives" },
      { content: winterHours3, changelog: "One rule instead of three, after Mara's review" },
      { content: winterHours4, changelog: "Agreed, with how we will know that it works" },
    ],
    sharedForDays: 7,
  },
  {
    slug: "third-quarter",
    type: "md",
    title: "The third quarter",
    description: "A report in Markdown with a table, formulas, a diagram and code.",
    versions: once(report),
  },
];
