// The page that the browser shows after the sign-in. It reports the outcome and contains no data of the sign-in.

export interface CallbackPage {
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

export const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  connection: "close",
} as const;

export const page = ({ title, text }: CallbackPage): string => `<!doctype html>
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
