// Requests of an html or jsx document that its sandbox refuses: to open a link, to save a file, to copy a text. The
// page around the frame receives them and asks the reader.
import { ownFileAt, type OwnFiles } from "./own-files.ts";
import { addressOf, catchLinks, isLink, tellPage, urlOfSelf, type Link } from "./links.ts";
import { tellRefused } from "./refused-features.ts";

/** Of files that the document has made, by blob URL. The policy lets nothing fetch them. */
const files = new Map<string, Blob>();

/** Those beside the document. */
let beside: OwnFiles | null = null;

export function askPage(own: OwnFiles | null): void {
  beside = own;
  keepFiles();
  catchLinks(follow);
  catchDetachedLinks();
  catchForms();
  window.open = (url) => {
    if (url !== undefined && String(url) !== "") lead(String(url), "");
    return null;
  };
  Object.defineProperty(navigator, "clipboard", {
    value: { writeText: copy, write: copyItems, readText: refuseToRead, read: refuseToRead },
    configurable: true,
    enumerable: true,
  });
}

const follow = (link: Link): void => lead(addressOf(link), link.getAttribute("download") ?? "");

function lead(address: string, name: string): void {
  const itself = urlOfSelf(address);
  const own = ownFileAt(beside, address);
  const content = fileOf(address);
  if (itself !== null) location.assign(itself);
  else if (own?.isPage === true) location.assign(own.url);
  else if (own !== null) tellPage({ type: "plinth:open", url: own.url });
  else if (content) tellPage({ type: "plinth:save", name: name || `document.${extensionOf(content)}`, content });
  else tellPage({ type: "plinth:open", url: address });
}

function keepFiles(): void {
  const create = URL.createObjectURL.bind(URL);
  const revoke = URL.revokeObjectURL.bind(URL);
  URL.createObjectURL = (object) => {
    const address = create(object);
    if (object instanceof Blob) files.set(address, object);
    return address;
  };
  URL.revokeObjectURL = (address) => {
    // Many revoke in the turn of the press; a link's file is looked up at its end.
    queueMicrotask(() => files.delete(address));
    revoke(address);
  };
}

function fileOf(address: string): Blob | undefined {
  if (address.startsWith("blob:")) return files.get(address);
  const [, type = "", base64, data = ""] = /^data:([^,]*?)(;base64)?,(.*)$/is.exec(address) ?? [];
  if (data === "") return undefined;
  const text = decodeURIComponent(data);
  return new Blob([base64 ? Uint8Array.from(atob(text), (character) => character.charCodeAt(0)) : text], { type });
}

const extensionOf = ({ type }: Blob): string => /^\w+\/([a-z]{2,5})\b/.exec(type)?.[1] ?? "txt";

/** A link that is no part of the document gets its press, by script, past every listener. */
function catchDetachedLinks(): void {
  const { prototype } = HTMLAnchorElement;
  const originals: { click: (this: Element) => void; dispatchEvent: (this: Element, event: Event) => boolean } =
    prototype;
  const { click, dispatchEvent } = originals;
  const isCaught = (link: HTMLAnchorElement) => !link.isConnected && isLink(link);
  prototype.click = function () {
    if (isCaught(this)) follow(this);
    else click.call(this);
  };
  prototype.dispatchEvent = function (event) {
    if (event.type !== "click" || !isCaught(this)) return dispatchEvent.call(this, event);
    follow(this);
    return true;
  };
}

/** A search form leads to a URL as a link does. The policy keeps back every form that is sent. */
function catchForms(): void {
  window.addEventListener("submit", (event) => {
    const { target: form, submitter } = event;
    if (!event.defaultPrevented && form instanceof HTMLFormElement && search(form, submitter)) event.preventDefault();
  });
  const { prototype } = HTMLFormElement;
  const original: { submit: (this: HTMLFormElement) => void } = prototype;
  const { submit } = original;
  prototype.submit = function () {
    if (!search(this, null)) submit.call(this);
  };
}

/** Whether the form is a search, whose URL was followed: of the document itself, or one that is written whole. */
function search(form: HTMLFormElement, submitter: HTMLElement | null): boolean {
  const [method, action] = ["method", "action"].map(
    (name) => submitter?.getAttribute(`form${name}`) ?? form.getAttribute(name) ?? "",
  ) as [string, string];
  const url = urlOfSelf(action) ?? URL.parse(action);
  if (/^(?:post|dialog)$/i.test(method) || !url?.protocol.startsWith("http")) return false;
  const fields = [...new FormData(form, submitter)].filter(([, value]) => typeof value === "string");
  url.search = new URLSearchParams(fields as [string, string][]).toString();
  lead(url.href, "");
  return true;
}

/** @throws NotAllowedError as browsers do, where the page or the reader refuses */
function copy(text: string): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  const answer = new Promise<void>((resolve, reject) => {
    port1.addEventListener("message", ({ data }) => (data === true ? resolve() : reject(refused())), { once: true });
    port1.start();
  });
  tellPage({ type: "plinth:copy", text }, port2);
  return answer;
}

async function copyItems(items: ClipboardItem[]): Promise<void> {
  const item = items.find(({ types }) => types.includes("text/plain"));
  if (!item) throw refused();
  return copy(await (await item.getType("text/plain")).text());
}

/** What a reader has copied elsewhere is not the document's. */
function refuseToRead(): Promise<never> {
  tellRefused("reading the clipboard");
  return Promise.reject(new DOMException("The clipboard was not read.", "NotAllowedError"));
}

const refused = () => new DOMException("The text was not copied.", "NotAllowedError");
