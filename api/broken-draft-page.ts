// The frame's page for a draft that does not compile: the position, and its line. It also reports the position to the
// page around it, which marks it in its editor. Also the frame's page for a refused draft.
import type { AppError } from "@plinth/contract/errors";
import { escapeHtml } from "@plinth/domain/render/escape-html";
import type { JsxProblem } from "@plinth/domain/threads/jsx";

import { retryAfterOf } from "./problem.ts";

const shownMax = 5;
/** Characters of a line of source; the rest is cut off. */
const lineMax = 160;

interface BrokenDraft {
  readonly problems: readonly JsxProblem[];
  readonly source: string;
  /** The page of importable modules. */
  readonly modulesUrl: string;
}

/** Has the content headers, with that nonce for its one script. */
export function brokenDraftPage(
  { problems, source, modulesUrl }: BrokenDraft,
  headers: Record<string, string>,
  nonce: string,
): Response {
  const policy = headers["content-security-policy"] ?? "";
  const withNonce = policy.replace("script-src ", `script-src 'nonce-${nonce}' `);
  const lines = source.split("\n");
  const shown = problems.slice(0, shownMax);
  // The editor has the document alone: it marks no line for a file beside it.
  const messages = shown.map(({ file, message, line, column }) => ({
    type: "plinth:error",
    message,
    ...(file === undefined ? { line, column } : {}),
  }));
  const isUnknown = problems.some(({ unknownImport }) => unknownImport !== undefined);
  const html = page(
    "This draft does not compile",
    `${shown.map((problem) => shownProblem(problem, lines[problem.line - 1] ?? "")).join("\n")}
${isUnknown ? `<footer>${escapeHtml(modulesUrl)} lists the modules that JSX can import.</footer>` : ""}
<script nonce="${nonce}">for (const message of ${scriptJson(messages)}) parent.postMessage(message, "*")</script>`,
  );
  return new Response(html, { headers: { ...headers, "content-security-policy": withNonce } });
}

/** Has the content headers, with the error's status and Retry-After. */
export function refusedDraftPage(refusal: AppError, headers: Record<string, string>): Response {
  const seconds = retryAfterOf(refusal);
  const wait = seconds === null ? {} : { "retry-after": String(seconds) };
  const html = page("This draft is not shown", `<section><p>${escapeHtml(refusal.message)}</p></section>`);
  return new Response(html, { status: refusal.status, headers: { ...headers, ...wait } });
}

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${styles}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;

const shownProblem = ({ file, message, line, column }: JsxProblem, text: string): string =>
  `<section><h2>Line ${line}, column ${column}</h2><p>${escapeHtml(message)}</p>` +
  (file === undefined ? `<pre><span>${line}</span> ${escapeHtml(text.slice(0, lineMax))}</pre>` : "") +
  "</section>";

/** As JSON that cannot end the script element. */
const scriptJson = (value: unknown): string => JSON.stringify(value).replaceAll("<", String.raw`\u003c`);

const styles = `
  :root { color-scheme: light dark; font: 14px/20px ui-sans-serif, system-ui, sans-serif; }
  body { margin: 0; background: light-dark(#faf9f6, #131210); color: light-dark(#1b1a17, #efede7); }
  main { max-width: 640px; margin: 0 auto; padding: 40px 24px; }
  h1 { margin: 0 0 24px; font: 500 20px/28px ui-serif, Georgia, serif; }
  section { border-left: 2px solid light-dark(#b93815, #ff8a5c); padding-left: 12px; margin-top: 20px; }
  h2 { margin: 0; font: 500 13px/20px ui-monospace, monospace; color: light-dark(#b93815, #ff8a5c); }
  footer { margin-top: 24px; color: light-dark(#5f5b52, #aba69b); overflow-wrap: anywhere; }
  p { margin: 2px 0 0; white-space: pre-wrap; overflow-wrap: anywhere; }
  pre { margin: 8px 0 0; padding: 8px 10px; overflow-x: auto; border-radius: 6px; font: 13px/20px ui-monospace, monospace;
    background: light-dark(#f1efea, #0e0d0c); }
  pre span { margin-right: 8px; color: light-dark(#5f5b52, #aba69b); user-select: none; }
`;
