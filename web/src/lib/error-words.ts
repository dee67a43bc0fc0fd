// What error pages say: what happened, then what to do. Nothing of it tells whether something exists.

export interface ErrorWords {
  readonly title: string;
  readonly text: string;
}

const words: Readonly<Record<string, ErrorWords>> = {
  offline: {
    title: "You're offline",
    text: "Check your internet connection, then reload. Nothing you published is affected.",
  },
  version_expired: {
    title: "This version has expired",
    text: "Old versions are kept for as long as the owner's plan says. The latest version is at the same URL, without ?v=.",
  },
  403: {
    title: "You don't have access to this page",
    text: "Your role doesn't include it. Ask an admin of the workspace for access.",
  },
  404: { title: "Page not found", text: "Check the URL, or ask the owner to share it with you." },
  429: { title: "Too many requests", text: "Wait a minute, then reload." },
  503: { title: "Plinth is temporarily unavailable", text: "Nothing is lost. Reload in a few seconds." },
  500: {
    title: "Something went wrong",
    text: "Reload the page. If it happens again, contact your administrator and include this request ID.",
  },
};

/** `missing` is what the visitor lacks and who can grant it. */
export function errorWords(status: number, error: { code?: string; missing?: string } | null): ErrorWords {
  const said = words[error?.code ?? ""] ?? words[status] ?? words[status < 500 ? 404 : 500];
  if (said === undefined) throw new Error("every status has words");
  return error?.missing === undefined ? said : { ...said, text: error.missing };
}
