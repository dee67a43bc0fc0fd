import { expect, test } from "bun:test";
import { artifact } from "../../../test/stand-in-api.ts";
import { listMetadata } from "./list-metadata.ts";

const url = new URL("https://plinth.example/ada/notes");
const hidden = artifact({ slug: "hidden", access: { publicView: false, publicEdit: false } });
const [newest, older] = [artifact({ slug: "newest" }), artifact({ slug: "older" })];

test("the image is the newest public artifact's, never a private one's", () => {
  expect(listMetadata(url, [hidden, newest, older])).toEqual({ isListed: true, image: newest.thumbnailUrl });
});

test("a page with nothing public, or a later page, is not for search engines", () => {
  expect(listMetadata(url, [hidden])).toEqual({ isListed: false, image: null });
  expect(listMetadata(url, [])).toEqual({ isListed: false, image: null });
  expect(listMetadata(new URL("?cursor=x", url), [older])).toEqual({ isListed: false, image: older.thumbnailUrl });
});
