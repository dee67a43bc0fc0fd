// The plug-ins of Tailwind that documents have: its own. Others would be code that runs where documents are compiled.
import type { Config } from "tailwindcss";

type Plugin = NonNullable<Config["plugins"]>[number];
type WithOptions = (options?: unknown) => Plugin;

/** Loaded when a document uses one. Those that are part of Tailwind by now, or of every document, are nothing more. */
const plugins: Readonly<Record<string, () => Promise<Plugin>>> = {
  "@tailwindcss/aspect-ratio": async () => (await import("@tailwindcss/aspect-ratio")).default,
  "@tailwindcss/container-queries": () => Promise.resolve(nothing),
  "@tailwindcss/forms": async () => (await import("@tailwindcss/forms")).default,
  "@tailwindcss/line-clamp": () => Promise.resolve(nothing),
  "@tailwindcss/typography": async () => (await import("@tailwindcss/typography")).default,
  "tailwindcss-animate": () => Promise.resolve(nothing),
};

const nothing: Plugin = () => {
  // Its classes are there already.
};

export const tailwindPluginNames: readonly string[] = Object.keys(plugins);

export const isTailwindPlugin = (name: string): boolean => Object.hasOwn(plugins, name);

/** @throws Error for one that documents do not have */
export async function tailwindPlugin(name: string): Promise<Plugin> {
  const load = isTailwindPlugin(name) ? plugins[name] : undefined;
  if (load === undefined) throw new Error(`Of Tailwind's plug-ins a document has ${tailwindPluginNames.join(", ")}.`);
  return load();
}

/** The same with options, of those that take some. */
export async function tailwindPluginWith(name: string, options: unknown): Promise<Plugin> {
  const plugin = await tailwindPlugin(name);
  const takesOptions = typeof plugin === "function" && "__isOptionsFunction" in plugin;
  return takesOptions && options !== undefined ? (plugin as unknown as WithOptions)(options) : plugin;
}
