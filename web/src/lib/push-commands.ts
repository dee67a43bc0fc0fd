// The commands that an empty dashboard offers.
import { installLine } from "@plinth/contract/guides/install";
import { dashboardTexts } from "#messages/dashboard.ts";
import type { Command } from "./publish-commands.ts";

/** How to publish a first artifact in a place: in an account or team, and a project of it. */
export function pushCommands(publicUrl: string, owner: string, projectSlug: string): Command[] {
  return [
    {
      surface: "CLI",
      code: [
        installLine(publicUrl),
        "plinth login",
        "plinth push report.md --create-project \\",
        `  --owner ${owner} --project-slug ${projectSlug}`,
      ].join("\n"),
      output: `${publicUrl}/${owner}/${projectSlug}/report`,
    },
    {
      surface: dashboardTexts().agent,
      code: `claude mcp add --transport http plinth ${publicUrl}/mcp`,
      output: dashboardTexts().askToPublish({ place: `${owner}/${projectSlug}` }),
    },
  ];
}
