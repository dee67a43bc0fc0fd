// Names the cookie that a share link is exchanged for. The name depends on whether the instance is served over https.
export const grantCookieName = (publicUrl: string): string =>
  publicUrl.startsWith("https:") ? "__Host-plinth-grants" : "plinth-grants";
