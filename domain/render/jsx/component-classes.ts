// The classes that the ui components bring with them, read from their sources once in a thread.
import { Scanner } from "@tailwindcss/oxide";
import { readFileSync } from "node:fs";
import { canonicalName } from "@plinth/runtime/module-aliases";
import { moduleSource } from "@plinth/runtime/modules";

const FOLDER = "@/components/ui/";

interface Component {
  readonly classes: readonly string[];
  /** The components it is made of. */
  readonly parts: readonly string[];
}

const components = new Map<string, Component>();

/** All that may be classes in the components among the modules, and in those they are made of. */
export function componentClasses(modules: readonly string[]): string[] {
  const classes = new Set<string>();
  const open = modules
    .map(canonicalName)
    .filter((name) => name.startsWith(FOLDER))
    .map((name) => name.slice(FOLDER.length));
  const seen = new Set<string>();
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    const component = components.get(name) ?? readComponent(name);
    components.set(name, component);
    for (const one of component.classes) classes.add(one);
    open.push(...component.parts);
  }
  return [...classes];
}

function readComponent(name: string): Component {
  const content = readFileSync(moduleSource(`${FOLDER}${name}`), "utf8");
  return {
    classes: new Scanner({ sources: [] }).scanFiles([{ content, extension: "tsx" }]),
    parts: [...content.matchAll(/from "(?:@\/components\/ui|\.)\/([a-z-]+)(?:\.tsx)?"/g)].flatMap(
      ([, part]) => part ?? [],
    ),
  };
}
