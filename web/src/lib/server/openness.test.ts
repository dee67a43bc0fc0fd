import { expect, test } from "bun:test";
import { artifact } from "../../../test/stand-in-api.ts";
import { openness } from "./openness.ts";

const url = new URL("https://plinth.example/ada/notes");
const hidden = artifact({ slug: "hidden", access: { publicView: false, publicEdit: false } });
const [newest, older] = [artifact({ slug: "newest" }), artifact({ slug: "older" })];

test("the image is the newest public artifact's, never a private one's", () => {
  expect(openness(url, [hidden, newest, older])).toEqual({ isListed: true, image: newest.thumbnailUrl });
});

test("a page with nothing public, or a later page, is not for search engines", () => {
  expect(openness(url, [hidden])).toEqual({ isListed: false, image: null });
  expect(openness(url, [])).toEqual({ isListed: false, image: null });
  expect(openness(new URL("?cursor=x", url), [older])).toEqual({ isListed: false, image: older.thumbnailUrl });
});
