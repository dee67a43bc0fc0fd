// A button that copies, on each block of code and on the source view.
// The sandbox denies navigator.clipboard; the copy command inside a press is what works in a frame of opaque origin.

const SAID_FOR_MS = 2_000;

export function addCopyButtons(): void {
  for (const pre of document.querySelectorAll("figure.code > pre")) {
    // Without the last line's end: pasted into a shell, a command waits to be confirmed.
    pre.after(copyButton(() => pre.textContent.replace(/\n$/, "")));
  }
  const source = document.querySelector(".source-lines");
  source?.after(copyButton(() => source.textContent));
}

function copyButton(text: () => string): HTMLButtonElement {
  const button = Object.assign(document.createElement("button"), {
    type: "button",
    className: "copy",
    textContent: "Copy",
  });
  // Said to those who listen, since the button's own words are read only when it is reached.
  const status = Object.assign(document.createElement("span"), { className: "sr-only", role: "status" });
  let timer: ReturnType<typeof setTimeout> | undefined;
  button.addEventListener("click", () => {
    const copied = copyText(text());
    button.textContent = copied ? "Copied" : "Not copied";
    status.textContent = button.textContent;
    if (!status.isConnected) button.after(status);
    button.classList.add("copied");
    clearTimeout(timer);
    timer = setTimeout(() => {
      button.textContent = "Copy";
      status.textContent = "";
      button.classList.remove("copied");
    }, SAID_FOR_MS);
  });
  return button;
}

/** Puts the text, byte for byte, where the command would have put a selection. Only inside a press. */
function copyText(text: string): boolean {
  const put = (event: ClipboardEvent): void => {
    event.clipboardData?.setData("text/plain", text);
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  document.addEventListener("copy", put, true);
  try {
    return document.execCommand("copy");
  } finally {
    document.removeEventListener("copy", put, true);
  }
}
