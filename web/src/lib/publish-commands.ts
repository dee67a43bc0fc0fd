// The commands that publish to this instance, for each surface.
import { installLine } from "@plinth/contract/guides/install";

export interface Command {
  surface: string;
  code: string;
  /** What it prints; not part of what is copied. */
  output: string;
}

/** Commands that work as they stand, but for the token. */
export function publishCommands(publicUrl: string): Command[] {
  return [
    {
      surface: "CLI",
      code: [
        installLine(publicUrl),
        "plinth login",
        "plinth push report.md --project-slug notes --create-project",
      ].join("\n"),
      output: `${publicUrl}/ada/notes/report`,
    },
    {
      surface: "REST",
      code: [
        `curl ${publicUrl}/api/artifacts \\`,
        '  -H "authorization: Bearer $SERVICE_TOKEN" \\',
        '  -H "content-type: application/json" \\',
        `  -d '{"projectSlug": "notes", "slug": "report", "type": "md",`,
        `       "title": "Report", "content": "# Report",`,
        `       "access": {"publicView": true, "publicEdit": false}}'`,
      ].join("\n"),
      output: `201 {"url": "${publicUrl}/ada/notes/report", …}`,
    },
  ];
}
