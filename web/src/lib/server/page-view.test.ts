// The page loads that count as a view.
import { expect, test } from "bun:test";

import { pageViewHeaders } from "./page-view.ts";

const browser = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
const isCounted = (headers: Record<string, string>, method = "GET") =>
  Object.keys(pageViewHeaders(new Request("https://plinth.example/a/b/c", { method, headers }))).length === 1;

test.each<readonly [string, Record<string, string>]>([
  ["a browser that opens it", { "user-agent": browser, "sec-fetch-dest": "document" }],
  ["a browser that says nothing more", { "user-agent": browser }],
  ["a browser that asks whether it changed", { "user-agent": browser, "if-none-match": '"held"' }],
  ["a reader without a name", {}],
])("%s is counted, each time", (_, headers) => {
  expect([isCounted(headers), isCounted(headers)]).toEqual([true, true]);
});

test.each<readonly [string, Record<string, string>]>([
  ["a frame of another page", { "user-agent": browser, "sec-fetch-dest": "iframe" }],
  ["a script that fetches it", { "user-agent": browser, "sec-fetch-dest": "empty" }],
  ["a page that is prefetched", { "user-agent": browser, "sec-fetch-dest": "document", "sec-purpose": "prefetch" }],
  ["a page that is rendered ahead", { "user-agent": browser, "sec-purpose": "prefetch;prerender" }],
  ["a search engine", { "user-agent": "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)" }],
  ["a preview of a chat", { "user-agent": "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)" }],
  ["a program", { "user-agent": "curl/8.11.1" }],
  ["a name that is too long", { "user-agent": browser.repeat(10) }],
])("%s is not counted", (_, headers) => {
  expect(isCounted(headers)).toBe(false);
});

test("only GET is counted", () => {
  expect([isCounted({ "user-agent": browser }, "HEAD"), isCounted({ "user-agent": browser }, "POST")]).toEqual([
    false,
    false,
  ]);
});
