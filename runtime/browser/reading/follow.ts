// A page that is read beside another scrolls with it: what that takes is loaded once the page around it asks.

export function followWhenAsked(): void {
  addEventListener("message", ({ source, data }) => {
    if (source === parent && data?.type === "plinth:follow")
      void import("../scroll-together.ts").then(({ follow }) => follow(data.on === true, data.top));
  });
}
