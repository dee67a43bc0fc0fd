// `bun run environment <public address>`: prints the .env for compose.yaml, with newly generated secrets.
import { parseArgs } from "node:util";

import { mintToken } from "@plinth/domain/tokens/token";

const { positionals } = parseArgs({ allowPositionals: true });
const [given = "http://localhost:8080", ...more] = positionals;
const url = URL.parse(given);
if (more.length > 0 || url === null || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`) {
  process.stderr.write("Usage: bun run environment https://plinth.example.com\n");
  process.exit(64);
}

/** Of characters that need no escape in a URL or a shell. */
const secret = (): string => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url");

process.stdout.write(`# Keep this file to yourself: it gives full access to the instance.
PUBLIC_URL=${url.origin}
SECRET=${secret()}
OPERATOR_TOKEN=${mintToken("operator")}
POSTGRES_PASSWORD=${secret()}
# People sign in by links that the operator makes. Name a provider instead (OIDC_ISSUER …), and take this away.
ALLOW_LOCAL_LOGIN=1
`);
