// Where clients may be answered, and where never.
import { expect, test } from "bun:test";

import { redirectOf } from "./redirects.ts";

const publicUrl = "https://plinth.example";

test("accepts https for a website, loopback names for this computer, and a private-use scheme for an app", () => {
  for (const [uri, kind, host] of [
    ["https://client.example/callback", "website", "client.example"],
    ["https://client.example:8443/callback?x=1", "website", "client.example:8443"],
    ["http://127.0.0.1/callback", "computer", "127.0.0.1"],
    ["http://127.0.0.1:51000/callback", "computer", "127.0.0.1:51000"],
    ["http://[::1]:51000/", "computer", "[::1]:51000"],
    ["http://localhost:3000?x", "computer", "localhost:3000"],
    ["com.example.app:/callback", "app", "com.example.app"],
    ["com.example.app://host/callback", "app", "com.example.app://host"],
    ["cursor://anysphere.cursor-mcp/oauth/callback", "app", "cursor://anysphere.cursor-mcp"],
  ] as const)
    expect(redirectOf(uri, publicUrl)).toEqual({ kind, host });
});

test("nowhere else", () => {
  for (const uri of [
    "",
    "callback",
    "/callback",
    "http://client.example/callback",
    "http://127.0.0.1.evil.example/",
    "http://127.0.0.2/",
    "http://127.1/",
    "http://2130706433/",
    "http://0x7f000001/",
    "http://0.0.0.0/",
    "http://[::]/",
    "http://localhost.evil.example/",
    "http://evil.example@127.0.0.1/",
    "http://127.0.0.1@evil.example/",
    "http://127.0.0.1:99999/",
    "http:\\\\127.0.0.1\\",
    "https://user:password@client.example/",
    "https://localhost/",
    "https://localhost.:8443/callback",
    "https://127.0.0.1/callback",
    "https://[::1]/callback",
    "https://[::ffff:127.0.0.1]/callback",
    "https://client.example/#fragment",
    "https://client.example/#",
    "https://*.client.example/",
    "https://client.example/*",
    "https://client.example/a b",
    "https://client.example/\n",
    "https://cl\u0456ent.example/",
    "https://plinth.example/login",
    "https://plinth.example",
    "javascript:alert(1)",
    "java\nscript:alert(1)",
    "data:text/html,x",
    "vbscript:x",
    "file:///etc/passwd",
    "blob:https://client.example/x",
    "cursor://callback",
    "cursor:/anysphere.cursor-mcp/oauth/callback",
    "cursor://anysphere.cursor-mcp.evil/oauth/callback",
    "cursor://anysphere.cursor-deeplink/mcp/install",
    "cursor://evil@anysphere.cursor-mcp/oauth/callback",
    "cursor://anysphere.cursor-mcp:1/oauth/callback",
    "cursor://anysphere.cursor-mcp",
    "Cursor://anysphere.cursor-mcp/oauth/callback",
    "vscode://vscode.git/clone",
    "ms-settings://x.y/z",
    "javascript://anysphere.cursor-mcp/%0aalert(1)",
    "data://anysphere.cursor-mcp/x",
    "file://anysphere.cursor-mcp/x",
    "intent://anysphere.cursor-mcp/#Intent;end",
    "view-source:https://client.example/",
    "mailto:someone@client.example",
    "myapp:/callback",
    "about:blank",
    `https://client.example/${"a".repeat(1100)}`,
  ])
    expect({ uri, redirect: redirectOf(uri, publicUrl) }).toEqual({ uri, redirect: null });
});
