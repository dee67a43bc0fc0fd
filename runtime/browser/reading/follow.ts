// A page that is read beside another scrolls with it, and marks what differs: what that takes is loaded once the page
// around it asks.

export function followWhenAsked(): void {
  addEventListener("message", ({ source, data }) => {
    if (source !== parent) return;
    if (data?.type === "plinth:follow")
      void import("../scroll-together.ts").then(({ follow }) => follow(data.on === true, data.top));
    else if (data?.type === "plinth:compare") void import("./mark-changes.ts").then(({ sendText }) => sendText());
    else if (data?.type === "plinth:marks")
      void import("./mark-changes.ts").then(({ markRanges }) => markRanges(data.ranges, data.kind));
  });
}
