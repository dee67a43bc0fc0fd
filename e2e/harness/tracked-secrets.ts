// Secrets that tests give to instances or get from them: none can appear in a log or an error answer
// (docs/reference/security.md §3). The harness tracks those it creates and searches every answer.
const trackedSecrets = new Set<string>();

/** Tracks a secret: a token, a cookie, a code, an email address. Returns it. */
export function trackSecret<Secret extends string>(secret: Secret): Secret {
  if (secret.length < 8) throw new Error("too short to be told from other text");
  trackedSecrets.add(secret);
  return secret;
}

/** Fails if a text shows a tracked secret, unchanged or percent-encoded. */
export function requireNoSecret(where: string, text: string): void {
  for (const secret of trackedSecrets) {
    for (const form of new Set([secret, encodeURIComponent(secret)])) {
      const at = text.indexOf(form);
      if (at >= 0) throw new Error(`${where} shows a secret of ${form.length} characters: ${around(text, at, form)}`);
    }
  }
}

const around = (text: string, at: number, form: string): string =>
  `${text.slice(Math.max(0, at - 200), at)}<secret>${text.slice(at + form.length, at + form.length + 50)}`;
