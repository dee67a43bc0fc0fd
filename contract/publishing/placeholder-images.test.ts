import { expect, test } from "bun:test";

import { placeholderImage } from "./placeholder-images.ts";

const sizeOf = (address: string): string | undefined =>
  / width="(\d+)" height="(\d+)"/
    .exec(decodeURIComponent(placeholderImage(address) ?? ""))
    ?.slice(1)
    .join("x");

test.each([
  ["/api/placeholder/640/480", "640x480"],
  ["/api/placeholder/64", "64x64"],
  ["/api/placeholder/99999/0", "4000x1"],
  ["/placeholder.svg?height=200&width=300", "300x200"],
  ["/placeholder.svg?w=30&h=20&query=a", "30x20"],
  ["/placeholder.svg?text=a+b", "400x300"],
  ["/placeholder.svg", "400x300"],
  ["/placeholder-user.jpg", "400x300"],
])("%s is a drawing of %s", (address, size) => expect(sizeOf(address)).toBe(size));

test.each([
  "/api/placeholder/a/b",
  "/api/placeholders/1/2",
  "placeholder.svg",
  "https://a.example/placeholder.svg",
  "//a.example/api/placeholder/1/2",
  "/placeholder.svg#x",
  "/owner/placeholder.svg",
  '/placeholder.svg?width="><script>',
  "",
])("%j is none", (address) => expect(placeholderImage(address)).toBeNull());

test("the drawing has its size in words, and nothing that runs or loads", () => {
  const svg = decodeURIComponent(placeholderImage("/api/placeholder/640/480") ?? "");
  expect(svg).toContain(">640 × 480</text>");
  expect(svg.match(/<[a-z]+/g)).toEqual(["<svg", "<rect", "<text"]);
});
