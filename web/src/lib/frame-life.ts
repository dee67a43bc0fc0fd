// Detection of a frame that has lost its document: each document reports its start, and its port reports its end. A
// document can fake either, and affects only its own frame by it.

/** How long after a document was left another can take to begin. Its first script says so. In ms. */
const beginsMs = 1500;

interface FrameLife {
  /** A document begins. It is lost where it is left and no other begins. */
  started(left: MessagePort | undefined): void;
  /** The frame has loaded what the page put into it: a document, if there were documents before. */
  loaded(): void;
  /** What comes from the document of before counts no more. */
  forget(): void;
}

/** Calls when the document whose message brought that port is left. */
export function onceLeft(port: MessagePort | undefined, then: () => void): void {
  port?.addEventListener("message", then, { once: true });
  port?.start();
}

export function frameLife(lost: () => void, waitMs = beginsMs): FrameLife {
  let current: MessagePort | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hasStarted = false;
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(lost, waitMs);
  };
  const forget = () => {
    clearTimeout(timer);
    current?.close();
    current = undefined;
  };
  return {
    started(left) {
      forget();
      hasStarted = true;
      current = left;
      onceLeft(left, wait);
    },
    loaded: () => void (hasStarted && current === undefined && wait()),
    forget,
  };
}
