// All caches are in one list (platform/caches.ts), and each is used in one place.
import { expect, test } from "bun:test";

import { caches } from "../platform/caches.ts";

import { usersOf } from "./caches-reference.ts";
import { readSources } from "./citations.ts";
import { root } from "./step.ts";

const { texts } = readSources(root);

/** Facts about an object that end with it, and are no answers: who sent a request, which image an element stands for, … */
const beside = [
  "api/app.ts",
  "contract/operation.ts",
  "domain/render/markdown/addresses.ts",
  "runtime/browser/memory-storage.ts",
  "web/src/lib/editing/draft-frames.ts",
  "web/src/lib/publishing/listed-source.ts",
];

const product = [...texts].filter(
  ([path]) =>
    /^(?:api|contract|db|domain|platform|runtime|server|web|worker)\/.*\.(?:ts|svelte)$/.test(path) &&
    !/\.test\.ts$|(?:^|\/)test\//.test(path),
);

test("a cache is created by the list alone", () => {
  const modules = product.filter(([, text]) => /\bnew (?:LRUCache|WeakMap)\b|from "lru-cache"/.test(text));
  expect(modules.map(([path]) => path).toSorted()).toEqual([...beside, "platform/caches.ts"].toSorted());
});

test("each cache of the list is used in one module", () => {
  const users = usersOf(new Map(product));
  expect([...users.keys()].toSorted()).toEqual(Object.keys(caches).toSorted());
  expect([...users].filter(([, modules]) => modules.length !== 1)).toEqual([]);
});
