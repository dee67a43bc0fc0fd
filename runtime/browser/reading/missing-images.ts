// An image of this instance that is not there is shown as its alternative text, like one that was never fetched. Loaded where
// a document has images.

export function nameMissingImages(): void {
  document.addEventListener("error", ({ target }) => target instanceof HTMLImageElement && standIn(target), true);
  for (const image of [...document.images])
    if (image.complete && image.naturalWidth === 0 && image.src !== "") standIn(image);
}

function standIn(image: HTMLImageElement): void {
  const pill = document.createElement("span");
  pill.className = "missing-image";
  const file = image.src.split(/[?#]/)[0]?.split("/").at(-1) ?? "";
  pill.textContent = image.alt.trim() || file;
  pill.title = `${file} was not published`;
  image.replaceWith(pill);
}
