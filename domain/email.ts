// The one comparison of email addresses (contract 5): ASCII only, lower-cased, no folding of dots or plus.

/** The form in which addresses are kept and compared. Expects one that the contract's schema let through. */
export const canonicalEmail = (email: string): string => email.toLowerCase();
