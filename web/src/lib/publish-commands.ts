// How one publishes to this instance, surface by surface.

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
        `export SERVICE_BASE_URL=${publicUrl}`,
        "export SERVICE_TOKEN=plk_…",
        "plinth push --project-slug notes --file report.md",
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

/** The first push, with the key in it. */
export function firstArtifactCommands(publicUrl: string, projectSlug: string, key: string): Command[] {
  return [
    {
      surface: "CLI",
      code: [
        `export SERVICE_BASE_URL=${publicUrl}`,
        `export SERVICE_TOKEN=${key}`,
        "echo '# Hello' > hello.md",
        `plinth push --project-slug ${projectSlug} --file hello.md`,
      ].join("\n"),
      output: "",
    },
    {
      surface: "REST",
      code: [
        `curl ${publicUrl}/api/artifacts \\`,
        `  -H "authorization: Bearer ${key}" \\`,
        '  -H "content-type: application/json" \\',
        `  -d '{"projectSlug": "${projectSlug}", "slug": "hello", "type": "md",`,
        `       "title": "Hello", "content": "# Hello",`,
        `       "access": {"publicView": true, "publicEdit": false}}'`,
      ].join("\n"),
      output: "",
    },
  ];
}

/** How a program uses a token that was just made. */
export function tokenCommands(publicUrl: string, token: string): Command[] {
  return [
    {
      surface: "Shell",
      code: [`export SERVICE_BASE_URL=${publicUrl}`, `export SERVICE_TOKEN=${token}`, "plinth whoami"].join("\n"),
      output: "",
    },
    {
      surface: "REST",
      code: [`curl ${publicUrl}/api/profile/me \\`, `  -H "authorization: Bearer ${token}"`].join("\n"),
      output: "",
    },
    {
      surface: "CI",
      code: [
        "env:",
        `  SERVICE_BASE_URL: ${publicUrl}`,
        "  SERVICE_TOKEN: ${{ secrets.SERVICE_TOKEN }}",
        "run: plinth push --project-slug notes --file report.md --ensure",
      ].join("\n"),
      output: "",
    },
  ];
}
