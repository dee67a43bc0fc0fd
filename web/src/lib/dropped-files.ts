// Files on their way from where they were dropped or pasted to the page that publishes them, within one visit.

let waiting: File[] = [];

export const droppedFiles = {
  /** What was put there last; a second time nothing. */
  take(): File[] {
    const taken = waiting;
    waiting = [];
    return taken;
  },
  put(files: File[]): void {
    waiting = files;
  },
};
