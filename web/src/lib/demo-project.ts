// By what a dashboard knows the demo project: its address and its words. A person who changes either has made it theirs.

export const demoProject = {
  slug: "demo",
  title: "Demo project",
  icon: "◆",
  description:
    "A report, a dashboard, a prototype, and a proposal with its history: all invented, all yours to change.",
} as const;

export const isDemoProject = ({ slug, description }: { slug: string; description: string | null }): boolean =>
  slug === demoProject.slug && description === demoProject.description;
