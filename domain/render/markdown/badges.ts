// Which images are badges: a word or two about a project, drawn by a service, many in a row.

/** Services whose URLs don't say so otherwise. */
const hosts = /(?:^|\.)(?:shields\.io|travis-ci\.(?:org|com)|circleci\.com|appveyor\.com|komarev\.com|coveralls\.io)$/;

/** Whether what is at that URL is a badge. */
export const isBadge = ({ host, pathname }: URL): boolean =>
  hosts.test(host) || /badge/i.test(host) || /(?:^|[/_.-])badges?(?:[/_.-]|$)/i.test(pathname);
