// The address on this machine that the browser comes back to (RFC 8252, 7.3): a free port of 127.0.0.1, open for one
// answer. Knows nothing of OAuth but which request is an answer.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

import { clientFailure } from "../failure/failure.ts";

// The page that the browser shows after the sign-in. It reports the outcome and contains no data of the sign-in.
interface CallbackPage {
  readonly title: string;
  readonly text: string;
}

export const signedInPage: CallbackPage = {
  title: "You are signed in",
  text: "The command line has what it needs. You can close this page.",
};
export const signInFailedPage: CallbackPage = {
  title: "You are not signed in",
  text: "The terminal says why. You can close this page.",
};

const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  connection: "close",
} as const;

const page = ({ title, text }: CallbackPage): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${title} · Plinth</title>
<style>
body { margin: 0; min-height: 100vh; display: grid; place-content: center; padding: 24px; font: 16px/1.5 system-ui,
  sans-serif; background: #faf9f6; color: #1b1a17; text-align: center }
h1 { margin: 0 0 8px; font-size: 28px; font-weight: 600 }
p { margin: 0; color: #5f5b52 }
@media (prefers-color-scheme: dark) { body { background: #131210; color: #efede7 } p { color: #aba69b } }
</style>
<main>
<h1>${title}</h1>
<p>${text}</p>
</main>
`;

export interface Loopback {
  /** With the port it listens on. */
  readonly address: string;
  /** The parameters of the first answer. */
  readonly answer: Promise<URLSearchParams>;
  /** Tells the waiting browser how it went, and closes the port. */
  close(outcome: CallbackPage): Promise<void>;
}

/** Listens on a free port. @throws Failure unavailable where this machine allows none */
export async function listen(path: string): Promise<Loopback> {
  let receiveAnswer: (parameters: URLSearchParams) => void = () => {};
  const answer = new Promise<URLSearchParams>((resolve) => (receiveAnswer = resolve));
  let waiting: ServerResponse | null = null;
  let host = "";

  function receive(request: IncomingMessage, response: ServerResponse): void {
    const own = `http://${host}`;
    const asked = request.url ?? "";
    const url = URL.canParse(asked, own) ? new URL(asked, own) : null;
    const parameters = url?.searchParams;
    // A request of another page that guesses the port, also under another host name, is no answer.
    if (request.headers.host !== host || url?.pathname !== path || request.method !== "GET")
      return respond(response, 404, unexpectedPage);
    if (parameters === undefined || !(parameters.has("code") || parameters.has("error")))
      return respond(response, 400, unexpectedPage);
    if (waiting !== null) return respond(response, 410, unexpectedPage);
    waiting = response;
    receiveAnswer(parameters);
  }

  const server = createServer(receive);
  const port = await new Promise<number>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const bound = server.address();
      resolve(typeof bound === "object" && bound !== null ? bound.port : 0);
    });
  }).catch((error: unknown) => {
    throw clientFailure("unavailable", "No port of 127.0.0.1 can be listened on", {
      hint: "Sign in with a browser anywhere instead",
      next: "plinth login --device",
      cause: error,
    });
  });
  host = `127.0.0.1:${port}`;

  return {
    address: `http://${host}${path}`,
    answer,
    async close(outcome) {
      server.close();
      if (waiting !== null) await answerBrowser(waiting, outcome);
      // A browser keeps connections in reserve, which would keep this process.
      server.closeAllConnections();
    },
  };
}

const unexpectedPage: CallbackPage = {
  title: "Nothing is here",
  text: "This address waits for one sign-in of the command line.",
};

function respond(response: ServerResponse, status: number, outcome: CallbackPage): void {
  response.writeHead(status, pageHeaders);
  response.end(page(outcome));
}

/** Resolves when the page is sent, or the browser has closed the connection. */
const answerBrowser = (response: ServerResponse, outcome: CallbackPage): Promise<void> =>
  new Promise((resolve) => {
    response.once("close", resolve);
    response.once("finish", resolve);
    respond(response, 200, outcome);
    if (response.destroyed) resolve();
  });
