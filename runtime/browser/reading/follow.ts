// A page that is read beside another scrolls with it, and marks what differs: what that takes is loaded once the page
// around it asks.

export function followWhenAsked(): void {
  addEventListener("message", ({ source, data }) => {
    if (source === parent && /^plinth:(fol|com|mar)/.test(data?.type))
      void import("./beside.ts").then(({ answer }) => answer(data));
  });
}
