// Artifacts as a made-up instance answers them.

/** The first version of ada/demo/<slug>, as far as publishing reads it, with anything else it is to have. */
export const artifactAt = <Rest extends object>(slug: string, rest: Rest = {} as Rest) => ({
  artifactId: `art_${slug}`,
  slug,
  type: "md",
  title: slug.replaceAll("-", " ").replace(/^./, (letter) => letter.toUpperCase()),
  description: null,
  latestVersion: 1,
  access: { publicView: true, publicEdit: false },
  url: `http://localhost:3000/ada/demo/${slug}`,
  ...rest,
});
