// Tells the page around an html document whether it shows nothing, where something was kept out of it or failed in it.
import { tellPage } from "./links.ts";

/** A document may take its time to draw: it is looked at so often after it has loaded, every so many milliseconds. */
const looks = 10;
const lookMs = 1000;
/** Elements that are looked at; a document of more shows something. */
const elementsMax = 500;

export function tellWhenBlank(hasTrouble: () => boolean): void {
  let told = false;
  const look = (left: number): void => {
    const isBlank = hasTrouble() && showsNothing();
    if (isBlank !== told) tellPage({ type: "plinth:blank", isBlank });
    told = isBlank;
    if (left > 1) setTimeout(look, lookMs, left - 1);
  };
  window.addEventListener("load", () => setTimeout(look, lookMs, looks), { once: true });
}

function showsNothing(): boolean {
  const { body } = document;
  if (!body || body.innerText.trim() !== "") return !body;
  const elements = [...body.querySelectorAll("*")];
  return elements.length <= elementsMax && !elements.some(isSeen);
}

function isSeen(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect();
  if (width < 2 || height < 2) return false;
  if (element instanceof HTMLImageElement) return element.naturalWidth > 0;
  if (element.shadowRoot || /^(?:svg|video|input|button|select|textarea|hr)$/.test(element.localName)) return true;
  const { backgroundColor, backgroundImage, borderTopWidth, visibility } = getComputedStyle(element);
  const hasGround = !/^(?:transparent|rgba\(.*, 0\))$/.test(backgroundColor) || backgroundImage !== "none";
  return visibility === "visible" && (hasGround || borderTopWidth !== "0px");
}
