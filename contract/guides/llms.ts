// `/llms.txt` in the form of llmstxt.org: the first text for an agent that finds this instance, with links to the rest.
import { claudeCodeLine, mcpAddress } from "./connect.ts";
import { installLine } from "./install.ts";
import { linksOf } from "./instance-links.ts";

/** Writes the text, with this instance's URLs. */
export function llmsText(publicUrl: string): string {
  const link = linksOf(publicUrl);
  return `# Plinth

> Plinth publishes Markdown, HTML and JSX (a React component) as pages at lasting addresses, owner/project/slug. Every
> publish to an address is a new version of the page there; no version is ever changed. This instance is ${publicUrl}.

- Connect by MCP: Streamable HTTP at ${mcpAddress(publicUrl)}, with OAuth (found from the address alone) or an API key as a
  bearer token. In Claude Code: \`${claudeCodeLine(publicUrl)}\`
- Or by the command line, which this instance hands out: \`${installLine(publicUrl)}\`, then \`plinth login\`
- Publish: the tool \`create_artifact\`, or \`plinth push --project-slug <project> --ensure --field url <file>\`. Give people
  the url of the answer. The push also publishes the images and data that the file refers to; \`-r <folder>\` a folder of
  documents with their links.
- Or by REST, with an API key as a bearer token: \`PUT /api/by-path/<owner>/<project>/<slug>\` with \`{type, title, content}\`
  creates the page or publishes its next version.
- Change what is there rather than publish it again: \`edit_artifact\` replaces exact text, \`update_artifact\` sends the
  whole text; with the command line, the same push again. The address stays, and the old version with it.
- Read a page as its source: ask for its address with \`Accept: text/markdown\`. A version is \`?v=<number>\`.
- Errors have a \`code\` that never changes and mostly a \`hint\` that says what to do next.

## Guides

- [SKILL.md](${link.skill}): How to publish, update, edit, read and share, tool by tool and line by line; for an agent's skills folder
- [install.sh](${link.install}): Installs the command line on Linux and macOS, with its checksum verified
- [cli.tgz](${link.package}): The same as an npm package, for Node 20 or newer: \`npm install --global\` or \`npx\` with this URL
- [AGENTS.md](${link.agents}): The same without the front matter of a skill, for a repository
- [Connect an agent](${link.connect}): The line for each client, and whether it arrived (for people, signed in)

## Reference

- [OpenAPI 3.1](${link.openApi}): Every operation of the REST API, for programs
- [API reference](${link.reference}): The same, for people
- [Documentation](${link.docs}): Guide, concepts, commands, tools and operations with examples; each page also as Markdown, at its URL with \`.md\`
- [JSX modules](${link.modules}): What a JSX document can import, with versions
- [Error codes](${link.errors}): What each code means, and what to do next
- [Protected resource](${link.resource}): Where MCP clients find how to authorize (RFC 9728)

## Optional

- [Health](${link.health}): Whether this instance can serve, and its version
`;
}
