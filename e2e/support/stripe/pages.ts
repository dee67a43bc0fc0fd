// The layout of the fake's pages. They work without scripts.

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text that was made safe to stand in a page. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = string | number | Html | readonly Html[];

/** A template of a page: what is put in is text, unless it is Html. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.reduce((text, next, at) => text + written(parts[at - 1] ?? "") + next));
}

function written(part: Part): string {
  if (part instanceof Html) return part.text;
  if (typeof part === "object") return part.map(({ text }) => text).join("");
  return String(part).replaceAll(/[&<>"']/g, (sign) => escapes[sign] ?? sign);
}

const styles = `
:root { color-scheme: light dark; --line: light-dark(#dcdfe4, #343a43); --muted: light-dark(#59616e, #a3abb8);
  --surface: light-dark(#fff, #1d2127); --ground: light-dark(#f4f5f7, #14171b); --accent: #5b4ff0; }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; background: var(--ground); font: 16px/1.5 system-ui, sans-serif; }
.note { margin: 0; padding: 10px 20px; background: light-dark(#fff3cf, #40340d); text-align: center; font-size: 14px; }
main { max-width: 560px; margin: 40px auto; padding: 0 20px 40px; }
h1 { margin: 0 0 4px; font-size: 24px; line-height: 1.3; }
h2 { margin: 0 0 12px; font-size: 17px; }
p { margin: 0 0 12px; }
.muted { color: var(--muted); font-size: 14px; }
.card { margin: 20px 0; padding: 20px; background: var(--surface); border: 1px solid var(--line); border-radius: 10px; }
.error { padding: 10px 14px; border-radius: 8px; background: light-dark(#fde8e6, #4a1c18); }
.amount { font-size: 30px; font-weight: 600; line-height: 1.2; }
form { display: flex; flex-wrap: wrap; gap: 12px; align-items: end; margin: 12px 0 0; }
label { display: grid; gap: 4px; font-size: 14px; }
input, select, button { min-height: 44px; padding: 8px 14px; border: 1px solid var(--line); border-radius: 8px;
  background: var(--ground); color: inherit; font: inherit; }
button { border-color: var(--accent); background: var(--accent); color: #fff; font-weight: 600; cursor: pointer; }
button.plain { border-color: var(--line); background: transparent; color: inherit; }
a { color: light-dark(#4338ca, #a5a0ff); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
table { width: 100%; border-collapse: collapse; font-size: 14px; }
td, th { padding: 8px 8px 8px 0; border-top: 1px solid var(--line); text-align: left; }
`;

export function document(title: string, body: Html): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        <style>
          ${new Html(styles)}
        </style>
      </head>
      <body>
        <p class="note">Stripe double: no money moves</p>
        <main>${body}</main>
      </body>
    </html>`.text;
}

export const money = (cents: number, currency: string): string =>
  new Intl.NumberFormat("en-US", { style: "currency", currency }).format(cents / 100);

export const day = (seconds: number): string =>
  new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" }).format(seconds * 1000);
