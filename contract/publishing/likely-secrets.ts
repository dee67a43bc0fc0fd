// Finds likely secrets in a text, with the kind of each (docs/decisions/command-line.md, "Likely secrets"). It never
// returns the secret.

// Secrets with a recognizable form, and the tests that exclude examples in documentation. Every pattern begins where no
// other match can be in progress and consumes a bounded number of characters, so the time is linear in the text.
interface SecretKind {
  readonly name: string;
  /** Global. The group `secret` is judged; without that group, the whole match. */
  readonly pattern: RegExp;
  /** Whether a match is a real secret; without it, every match that is not a placeholder. */
  readonly isReal?: (secret: string, match: RegExpExecArray) => boolean;
}

/** No other token character precedes a token. */
const token = (form: string): RegExp => new RegExp(`(?<![A-Za-z0-9_-])(?:${form})(?![A-Za-z0-9_])`, "g");

export const secretKinds: readonly SecretKind[] = [
  { name: "AWS access key", pattern: token("A(?:KIA|SIA)[A-Z2-7]{16}") },
  {
    name: "AWS secret access key",
    pattern: /secret_?access_?key["']?[ \t]{0,4}[=:][ \t]{0,4}["']?(?<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/gi,
  },
  { name: "GitHub token", pattern: token("gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}") },
  { name: "GitLab token", pattern: token("gl(?:pat|dt|rt|ptt|agent)-[A-Za-z0-9_-]{20,64}(?:\\.[a-z0-9.]{2,20})?") },
  { name: "Slack token", pattern: token("xox[abeoprs]-[A-Za-z0-9-]{20,250}|xapp-\\d-[A-Za-z0-9-]{20,250}") },
  {
    name: "Slack webhook",
    pattern: /https:\/\/hooks\.slack\.com\/(?:services|workflows)\/(?<secret>[A-Za-z0-9/]{30,120})/g,
  },
  { name: "Stripe live key", pattern: token("[rs]k_live_[A-Za-z0-9]{16,250}") },
  { name: "Anthropic key", pattern: token("sk-ant-[A-Za-z0-9_-]{32,200}") },
  { name: "OpenAI key", pattern: token("sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{32,200}|sk-[A-Za-z0-9]{48}") },
  { name: "Google key", pattern: token("AIza[A-Za-z0-9_-]{35}|GOCSPX-[A-Za-z0-9_-]{28}") },
  { name: "npm token", pattern: token("npm_[A-Za-z0-9]{36}") },
  { name: "PyPI token", pattern: token("pypi-AgE[A-Za-z0-9_-]{50,500}") },
  { name: "Plinth token", pattern: token("pl[kasotr]_[0-9A-Za-z]{39}") },
  {
    name: "private key",
    pattern:
      /-----BEGIN (?:[A-Z0-9]{2,12} ){0,2}PRIVATE KEY(?: BLOCK)?-----(?:\\[rn]|\s){1,8}(?:[A-Za-z-]{1,20}: [^\n]{0,200}\n\s{0,8}){0,4}(?<secret>[A-Za-z0-9+/=]{32,64})/g,
  },
  {
    name: "JSON web token",
    pattern: token("eyJ[A-Za-z0-9_-]{8,1000}\\.(?<claims>eyJ[A-Za-z0-9_-]{4,8000})\\.[A-Za-z0-9_-]{16,1000}"),
    isReal: (_secret, { groups }) => stillCounts(groups?.["claims"] ?? ""),
  },
  {
    name: "password in a database address",
    pattern:
      /(?<![A-Za-z])(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|mssql|sqlserver)(?:\+[a-z0-9]{1,20})?:\/\/(?<user>[^\s:@/"'<>`]{0,128}):(?<secret>[^\s@/"'<>`]{1,256})@(?<host>[A-Za-z0-9._-]{1,253}|\[)/g,
    isReal: isRealLogin,
  },
  {
    name: "password in an address",
    pattern:
      /(?<![A-Za-z])(?:https?|ftps?|s?ftp|smtps?|ssh):\/\/(?<user>[^\s:@/"'<>`]{0,128}):(?<secret>[^\s@/"'<>`]{1,256})@(?<host>[A-Za-z0-9._-]{1,253}|\[)/g,
    isReal: isRealLogin,
  },
];

/** An expired token opens nothing, and the well-known example token belongs to John Doe. */
function stillCounts(claims: string): boolean {
  let payload: unknown;
  try {
    payload = JSON.parse(atob(claims.replaceAll("-", "+").replaceAll("_", "/")));
  } catch {
    // The match is not a token.
    return false;
  }
  if (typeof payload !== "object" || payload === null) return false;
  const { exp, sub } = payload as { exp?: unknown; sub?: unknown };
  return !(typeof exp === "number" && exp * 1000 < Date.now()) && sub !== "1234567890";
}

const nobodysHost =
  /^(?:localhost|127\.[\d.]+|0\.0\.0\.0|\[|host|hostname|server|db|database|.*\.?example(?:\.(?:com|org|net))?|.*\.(?:test|invalid|localhost))$/i;
const nobodysPassword =
  /^(?:(?:my|your|the|some)?[-_]?(?:pass(?:word|wd|phrase)?|pwd|pw|secret|token|key|api[-_]?key)|user(?:name)?|x+|\*+|\.+|…|changeme|root|admin|test|foo|bar|\w)$|^[[({$%]|[$%]\{|\{\{|^%[A-Za-z]|^\$/i;

function isRealLogin(password: string, { groups }: RegExpExecArray): boolean {
  const { user, host } = groups as { user: string; host: string };
  return password !== user && !nobodysPassword.test(password) && !nobodysHost.test(host) && !isPlaceholder(password);
}

/** Placeholders in documentation: words that say so, letters in sequence, very few distinct characters. */
function isPlaceholder(secret: string): boolean {
  if (/example|placeholder|redacted|changeme|dummy|your[-_]|x{6}|\*{3}|\.{3}/i.test(secret)) return true;
  if (/abcdefgh|12345678|01234567|98765432/i.test(secret)) return true;
  return secret.length >= 16 && new Set(secret.slice(-24)).size < 7;
}

/** The most secrets that are reported for one file; more would tell the author nothing new. */
const MAX_FOUND = 20;

export interface LikelySecret {
  readonly kind: string;
  /** Counted from 1. */
  readonly line: number;
  readonly column: number;
}

/** The likely secrets of a text, in order of position. */
export function likelySecrets(text: string): LikelySecret[] {
  const found: { kind: string; index: number }[] = [];
  for (const { name, pattern, isReal } of secretKinds) {
    let count = 0;
    for (const match of text.matchAll(pattern)) {
      const secret = match.groups?.["secret"] ?? match[0];
      if (!(isReal ? isReal(secret, match) : !isPlaceholder(secret))) continue;
      found.push({ kind: name, index: match.index });
      if (++count === MAX_FOUND) break;
    }
  }
  found.sort((a, b) => a.index - b.index);
  return placed(found.slice(0, MAX_FOUND), text);
}

function placed(found: readonly { kind: string; index: number }[], text: string): LikelySecret[] {
  let line = 1;
  let start = 0;
  return found.map(({ kind, index }) => {
    for (let end = text.indexOf("\n", start); end >= 0 && end < index; end = text.indexOf("\n", start)) {
      line++;
      start = end + 1;
    }
    return { kind, line, column: index - start + 1 };
  });
}
