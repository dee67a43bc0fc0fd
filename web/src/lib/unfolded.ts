/**
 * What opens a `details` that has something to say, to be spread into it; nothing where it has not.
 * `open={false}` would close, as the page's script arrives, what the person had opened before.
 */
export const unfoldedWhere = (hasSomethingToSay: boolean): { open?: true } => (hasSomethingToSay ? { open: true } : {});
