// `/SKILL.md`: a skill for the skills folder of a coding agent. Tests check every tool, field and command in it against
// the registry and the command line's catalogue.
import { tools, type Tool } from "../mcp/tools.ts";
import { claudeCodeLine, serverName } from "./connect.ts";
import { installLine } from "./install.ts";
import { linksOf } from "./instance-links.ts";

/** Writes the file, with this instance's URLs. */
export function skillText(publicUrl: string): string {
  const { keys, openApi, modules } = linksOf(publicUrl);
  return `---
name: ${serverName}
description: ${JSON.stringify(description(new URL(publicUrl).host))}
---

# Publishing with Plinth

Plinth keeps text at addresses \`${publicUrl}/<owner>/<project>/<slug>\`. Each publish to an address is a new version of the
same page; versions never change. Use the tools where this client has the MCP server \`${serverName}\`, else the command
\`plinth\`.

- Not connected yet? \`${claudeCodeLine(publicUrl)}\`, or the same address in any MCP
  client; it opens a browser to sign in.
- No \`plinth\` on the PATH? \`${installLine(publicUrl)}\`, then
  \`plinth login --base-url ${publicUrl}\`. Where no person can sign in, a key from ${keys} in
  \`SERVICE_TOKEN\`; a key cannot make or list keys.

## Rules

1. Give people the \`url\` of the answer, as it is.
2. Something published before is updated, never published again under a new slug.
3. Ask before making something public, and never publish a secret.
4. After publishing HTML or JSX, look at \`get_artifact_preview\`: it shows the page, and says what went wrong on it.
5. Mend the files and links that the answer to a publish says lead nowhere.

## With the tools

An artifact is named by \`artifactId\`: its id, its address or \`owner/project/slug\`.

Publish. \`type\` is \`md\`, \`html\` or \`jsx\` (a default export; react, recharts, lucide-react and
others are there: ${modules}).
\`ifExists: "update"\` publishes the next version where the slug is taken:

\`\`\`json create_artifact
{"projectSlug": "reports", "slug": "week-47", "type": "md", "title": "Week 47", "content": "# Week 47\\n",
 "access": {"publicView": false, "publicEdit": false}, "ifExists": "update"}
\`\`\`

No project yet? \`list_projects\` shows them, \`create_project\` makes one.

Change a few words: each \`oldText\` must be there exactly once:

\`\`\`json edit_artifact
{"artifactId": "ada/reports/week-47", "edits": [{"oldText": "Q3", "newText": "Q4"}], "changelog": "Quarter"}
\`\`\`

Replace the whole text. With \`expectedLatestVersion\` no other author's version is overwritten unseen:

\`\`\`json update_artifact
{"artifactId": "ada/reports/week-47", "content": "# Week 47\\n\\nAnew.\\n", "expectedLatestVersion": 2}
\`\`\`

A long text, or images and data beside it: ask for a URL, send the file with \`curl -T FILE 'URL'\`, and publish it by the
\`sha256\` of the answer, as \`contentSha256\` instead of \`content\`, or in \`files\` as \`{"path", "sha256"}\`. A zip of a folder with an
\`index.html\` is a document with all of its files: send \`archiveSha256\` alone:

\`\`\`json create_upload
{"sizeBytes": 200000}
\`\`\`

Read a section, after \`"outline": true\` has shown the headings; or by lines, where the answer says the next \`startLine\`;
or with \`grep\` the lines that have a text:

\`\`\`json get_artifact_content
{"artifactId": "ada/reports/week-47", "section": "costs"}
\`\`\`

Share with a person who has no account:

\`\`\`json create_share_link
{"artifactId": "ada/reports/week-47", "role": "viewer", "expiresAt": "2030-01-31T00:00:00Z"}
\`\`\`

| Tool | What it does |
|---|---|
${tools.map(row).join("\n")}

## With the command line

\`\`\`sh
plinth push --project-slug reports --ensure --field url week-47.md
plinth push --project-slug reports --ensure --private week-47.md
plinth push --project-slug handbook -r docs
plinth push --project-slug reports playwright-report
plinth diff docs/guide.md --project-slug handbook
plinth pull ada/handbook
plinth artifact edit ada/reports/week-47 --replace Q3 --with Q4
plinth cat ada/reports/week-47
plinth log ada/reports/week-47
plinth diff ada/reports/week-47 --from 1 --to 2
plinth artifact restore ada/reports/week-47 --version 1
plinth artifact access set ada/reports/week-47 --no-public-view --no-public-edit --viewer-emails bo@example.com
plinth share create ada/reports/week-47 --role viewer --field url
plinth project create --slug reports --title Reports --icon 📊
plinth search quarterly report
plinth whoami
plinth schema --compact
\`\`\`

Images, styles, scripts and data that a document refers to by relative paths are published with it; the push says which of
them are missing. \`-r\` publishes a folder: links between its documents work, and each document keeps its page when its title
changes. Without \`-r\` a folder with an \`index.html\` is one document with all of its files. \`--ensure\` makes the next version where the slug is taken, and none where nothing changed. A push is public unless
\`--private\`. \`--dry-run\` sends nothing. Results are JSON on standard output; a failure is JSON on the last line of standard
error. Exit codes: 0 done, 2 wrong line, 3 not found, 4 not signed in, 5 forbidden, 6 conflict, 7 rejected, 8 and 9 try later.

## When it is refused

A refusal has \`code\`, \`detail\` and mostly \`hint\`: do what the hint says. \`errors\` names each wrong field.

| Code | What to do |
|---|---|
| \`slug_conflict\` | It is published already: update it (\`ifExists: "update"\`, \`--ensure\`) |
| \`version_conflict\` | Another version was published in between: read it, then apply your change to it |
| \`not_found\` | Not there, or not for you: look with \`search_artifacts\`, ask for access |
| \`insufficient_scope\` | Sign in again with the scope it names; never work around it |
| \`invalid_source\` | The JSX does not compile: \`line\` and \`column\` say where, \`modules\` what can be imported |
| \`content_too_large\` | Split it, or leave out data that readers don't need |
| \`rate_limited\`, \`busy\` | Wait \`retryAfterSeconds\`, then send the same again |

Without MCP and command line there is REST: \`PUT /api/by-path/<owner>/<project>/<slug>\` with \`{type, title, content}\`
creates the page or publishes its next version. All the rest: ${openApi}
`;
}

/** An agent chooses the skill by this description. */
const description = (host: string): string =>
  `Publish Markdown, HTML or a React component as a page with a lasting address on ${host}, and update, edit, read or ` +
  "share what is published there. Use when a person asks to publish, share or host a report, document, dashboard, " +
  `prototype or page, or names an address on ${host}.`;

const row = ({ name, description }: Tool): string => `| \`${name}\` | ${firstSentence(description)} |`;

const firstSentence = (text: string): string => (/^.*?[.](?= |$)/s.exec(text)?.[0] ?? text).replaceAll("|", "\\|");
