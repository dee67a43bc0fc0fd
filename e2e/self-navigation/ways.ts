// The ways by which a document loads itself again: the same list for each type, each place and each browser engine.
import type { PressOptions } from "../harness/engines/engine.ts";

/** A document has the markup, in which the reader presses `#go`, and a script that runs at the press. */
export interface Way {
  readonly markup?: string;
  readonly script?: string;
  readonly press?: PressOptions;
  /** What the document has in `location.search` when it is shown again. */
  readonly query: string;
}

const form = (attributes: string, inside = "") =>
  `<form ${attributes}><input name="tab" value="2">${inside}<button id="go">Go</button></form>`;

export const ways: Readonly<Record<string, Way>> = {
  "location.reload()": { script: "location.reload()", query: "" },
  "an empty link": { markup: `<a id="go" href="">Go</a>`, query: "" },
  "a link to another query": { markup: `<a id="go" href="?tab=2">Go</a>`, query: "?tab=2" },
  "location.href = location.href": { script: "location.href = location.href", query: "" },
  "a form": { markup: form(""), query: "?tab=2" },
  "history.go(0)": { script: "history.go(0)", query: "" },
  "an empty link with a target": { markup: `<a id="go" href="" target="_blank">Go</a>`, query: "" },
  "a link to another query with a target": {
    markup: `<a id="go" href="?tab=2" target="_blank">Go</a>`,
    query: "?tab=2",
  },
  "a link pressed with the middle button": {
    markup: `<a id="go" href="?tab=2">Go</a>`,
    press: { button: "middle" },
    query: "?tab=2",
  },
  "a link in an svg": {
    markup: `<svg width="80" height="40"><a id="go" href="?tab=2"><rect width="80" height="40"/></a></svg>`,
    query: "?tab=2",
  },
  "a link that a script makes": {
    script: `Object.assign(document.createElement("a"), { href: "?tab=2" }).click()`,
    query: "?tab=2",
  },
  "a link to its whole address": {
    script: `Object.assign(document.createElement("a"), { href: location.pathname + "?tab=2" }).click()`,
    query: "?tab=2",
  },
  "location.search": { script: `location.search = "tab=2&word=a+b"`, query: "?tab=2&word=a+b" },
  "location.replace()": { script: `location.replace("?tab=2")`, query: "?tab=2" },
  "location.assign()": { script: `location.assign(location.href)`, query: "" },
  "window.open()": { script: `window.open("?tab=2")`, query: "?tab=2" },
  "window.open() into itself": { script: `window.open("?tab=2", "_self")`, query: "?tab=2" },
  "a refresh": {
    script: `document.head.append(Object.assign(document.createElement("meta"), { httpEquiv: "refresh", content: "0" }))`,
    query: "",
  },
  "a refresh to another query": {
    script: `document.head.append(Object.assign(document.createElement("meta"), { httpEquiv: "refresh", content: "0;url=?tab=2" }))`,
    query: "?tab=2",
  },
  "a form with an action": { markup: form(`method="get" action="?word=1"`), query: "?tab=2" },
  "a form with a target": { markup: form(`target="_blank"`), query: "?tab=2" },
  "a button that makes a form a search": {
    markup: `<form method="post" action="https://elsewhere.example/"><button id="go" formmethod="get" formaction="" name="tab" value="2">Go</button></form>`,
    query: "?tab=2",
  },
  "a form that a script sends": {
    markup: `<form><input name="tab" value="2"></form><button id="go">Go</button>`,
    script: `document.querySelector("form").submit()`,
    query: "?tab=2",
  },
};

const markupOf = ({ markup }: Way): string => markup ?? `<button id="go">Go</button>`;

/** What the reader presses; `ready` is true once the script can answer. */
const begin = ({ script = "" }: Way): string =>
  `${script === "" ? "" : `document.querySelector("#go").onclick = () => { ${script}; };`} window.ready = true;`;

export const documentOf = {
  html: (way: Way): string =>
    `<!doctype html><title>Itself</title><body><h1>Itself</h1>${markupOf(way)}<script>${begin(way)}</script>`,
  jsx: (way: Way): string => `import { useEffect } from "react";
export default function Itself() {
  useEffect(() => { ${begin(way)} }, []);
  return <div><h1>Itself</h1><div dangerouslySetInnerHTML={{ __html: ${JSON.stringify(markupOf(way))} }} /></div>;
}`,
} as const;
