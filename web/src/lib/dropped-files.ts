// Files and folders on their way from where they were dropped or pasted to the page that publishes them, within one visit.

/** A folder is there by its entry, which stays readable after the event. */
export type Dropped = File | FileSystemEntry;

let waiting: readonly Dropped[] = [];

export const droppedFiles = {
  /** The files that were dropped last; a second time nothing. */
  take(): readonly Dropped[] {
    const taken = waiting;
    waiting = [];
    return taken;
  },
  put(dropped: readonly Dropped[]): void {
    waiting = dropped;
  },
};

/** What a drop contains. To be asked while the event is handled. */
export const droppedIn = (transfer: DataTransfer | null): Dropped[] =>
  [...(transfer?.items ?? [])].flatMap((item) =>
    item.kind === "file" ? (item.webkitGetAsEntry() ?? item.getAsFile() ?? []) : [],
  );
