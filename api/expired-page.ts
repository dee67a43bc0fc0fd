// The frame's page for an expired ticket: it asks the page around it for a new URL.

/** Has the content headers, with that nonce for its one script. */
export function expiredPage(headers: Record<string, string>, nonce: string): Response {
  const policy = headers["content-security-policy"] ?? "";
  const withNonce = policy.replace("script-src ", `script-src 'nonce-${nonce}' `);
  return new Response(
    `<!doctype html>
<meta charset="utf-8">
<title>Loading</title>
<script nonce="${nonce}">parent.postMessage({ type: "plinth:expired", query: location.search }, "*")</script>
`,
    { status: 410, headers: { ...headers, "content-security-policy": withNonce } },
  );
}
