// The calls that an agent's model makes in the life of one document, each with the facts that it must receive. Knows no
// agent.
import type { ToolCall } from "@plinth/support/model-service/model-service";

/** The place where an agent publishes. */
export interface Project {
  readonly url: string;
  readonly slug: string;
  readonly ownerUsername: string;
}

export interface Step {
  readonly call: ToolCall;
  /** Facts that the model receives, each exactly once: a model pays for each word. */
  readonly once: readonly string[];
  /** Text that the model did not ask for. */
  readonly never?: readonly string[];
  readonly isRefusal?: true;
  /** The media types of the images that the model receives. */
  readonly images?: readonly string[];
}

const harvest = "The orchard gave 412 crates of quinces this autumn.";
const rain = "Rain fell on nine days of October.";
const price = "A crate of quinces sold for 31 euros.";
const raised = "A crate of quinces sold for 35 euros.";
const source = [harvest, "", "## Weather", "", rain, "", "## Prices", "", price, ""].join("\n");
const title = "The harvest of this year";

const slug = "harvest";
const urlIn = (project: Project): string => `${project.url}/${slug}`;
const named = (project: Project) => ({ artifactId: `${project.ownerUsername}/${project.slug}/${slug}` });

/** A reading of the document's first version. */
const read = (
  project: Project,
  given: ToolCall["arguments"],
  once: readonly string[],
  never: readonly string[],
): Step => ({
  call: { name: "get_artifact_content", arguments: { ...named(project), ...given } },
  once: [`${urlIn(project)}?v=1`, ...once],
  never,
});

/** Each needs those before it; `captured` is the URL of a document that has a screenshot. */
export const life: readonly (readonly [what: string, step: (project: Project, captured: string) => Step])[] = [
  [
    "create_artifact: the model receives the address, and not the source",
    (project) => {
      const access = { publicView: false, publicEdit: false };
      const given = { projectSlug: project.slug, slug, type: "md", title, content: source, access };
      return {
        call: { name: "create_artifact", arguments: given },
        once: [urlIn(project)],
        never: [harvest, rain, price],
      };
    },
  ],
  ["get_artifact_content: the model receives the source", (project) => read(project, {}, [source.trimEnd()], [])],
  [
    "get_artifact_content with section: the model receives its lines",
    (project) => read(project, { section: "Weather" }, ["## Weather", rain], [harvest, price]),
  ],
  [
    "get_artifact_content with grep: the model receives the lines with their numbers",
    (project) => read(project, { grep: "quinces" }, [`1: ${harvest}`, `9: ${price}`], [rain]),
  ],
  [
    "get_artifact_content with outline: the model receives the headings",
    (project) => read(project, { outline: true }, ["## Weather", "## Prices"], [harvest, rain, price]),
  ],
  [
    "get_artifact_preview: the model receives the screenshot as an image",
    (_, captured) => ({
      call: { name: "get_artifact_preview", arguments: { artifactId: captured } },
      once: [captured, "is shown without errors"],
      images: ["image/webp"],
    }),
  ],
  [
    "edit_artifact: the model receives the address of the new version, and not its source",
    (project) => ({
      call: { name: "edit_artifact", arguments: { ...named(project), edits: [{ oldText: price, newText: raised }] } },
      once: [`${urlIn(project)}?v=2`],
      never: [harvest, rain],
    }),
  ],
  [
    "diff_artifact_versions: the model receives the changed lines",
    (project) => ({
      call: { name: "diff_artifact_versions", arguments: { ...named(project), fromVersion: 1, toVersion: 2 } },
      once: [`-${price}`, `+${raised}`],
      never: [harvest],
    }),
  ],
  [
    "search_artifacts: the model receives title and address",
    (project) => ({
      call: { name: "search_artifacts", arguments: { q: "quinces", project: project.slug } },
      once: [title, urlIn(project)],
    }),
  ],
  [
    "a refused get_artifact: the model receives the code and the next step",
    (project) => ({
      call: { name: "get_artifact", arguments: { artifactId: `${project.ownerUsername}/${project.slug}/no-such` } },
      once: ["not_found", "search_artifacts finds artifacts"],
      isRefusal: true,
    }),
  ],
];
