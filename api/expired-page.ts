// What a frame shows whose ticket has run out: it asks the page around it for a new address.

/** Under the content headers with that nonce added for its one script. */
export function expiredPage(headers: Record<string, string>, nonce: string): Response {
  const policy = headers["content-security-policy"] ?? "";
  const withNonce = policy.replace("script-src ", `script-src 'nonce-${nonce}' `);
  return new Response(
    `<!doctype html>
<meta charset="utf-8">
<title>Loading</title>
<script nonce="${nonce}">parent.postMessage({ type: "plinth:expired" }, "*")</script>
`,
    { status: 410, headers: { ...headers, "content-security-policy": withNonce } },
  );
}
