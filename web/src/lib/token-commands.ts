// Commands with a token in them that was just made: the first push, and how a program uses it.
import { installLine } from "@plinth/contract/guides/install";
import type { Command } from "./publish-commands.ts";

/** The first push, with the key in it. */
export function firstArtifactCommands(publicUrl: string, projectSlug: string, key: string): Command[] {
  return [
    {
      surface: "CLI",
      code: [
        installLine(publicUrl),
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
        "run: |",
        `  ${installLine(publicUrl)}`,
        '  export PATH="$HOME/.local/bin:$PATH"',
        "  plinth push --project-slug notes --file report.md --ensure",
      ].join("\n"),
      output: "",
    },
  ];
}
