// The boxes of task lists, named for those who listen: what they stand for is told by their state alone.

export function nameTaskBoxes(): void {
  for (const box of document.querySelectorAll<HTMLInputElement>(".task-list-item input")) {
    box.setAttribute("aria-label", box.checked ? "Done" : "Not done");
  }
}
