#!/usr/bin/env bash
# Good guess: an assertion only reads what it is given, as `toMatchObject` of Jest and Vitest does.
#
# What happens in Bun 1.4.5: `expect(received).toMatchObject(expected)` puts each asymmetric matcher of `expected` (such as
# `expect.stringContaining`) into `received`, in the place of the value that it matched. `toEqual` does not.
#
# Why it matters: a test that compares the object once more afterwards compares the matcher. With another object that has
# the matcher in it, or with a value that it matches, that passes for any value.
#
# Needs Node and npm.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --prefix "$folder" --loglevel=error --no-audit --no-fund bun@1.4.5

cat >"$folder/probe.test.js" <<'PROBE'
import { expect, test } from "bun:test";

test("what an assertion leaves behind", () => {
  const read = { body: "abc" };
  expect(read).toEqual({ body: expect.stringContaining("a") });
  console.log(`after toEqual: ${typeof read.body}`);
  const matched = { body: "abc" };
  expect(matched).toMatchObject({ body: expect.stringContaining("a") });
  console.log(`after toMatchObject: ${typeof matched.body}`);
});
PROBE

cd "$folder"
said=$(node_modules/.bin/bun test ./probe.test.js 2>&1)
echo "$said"
grep -qx 'after toEqual: string' <<<"$said"
grep -qx 'after toMatchObject: object' <<<"$said"
echo "Seen: toMatchObject leaves its matcher in the object."
