// The one reading and comparison of email addresses (docs/reference/contract.md §5): ASCII only, lower-cased, no
// folding of dots or plus.
import { Email } from "@plinth/contract/schemas/text";
import { Compile } from "typebox/compile";

const form = Compile(Email);

/** Whether it is an address that can be kept, ASCII alone. */
export const isEmail = (text: string): boolean => form.Check(text);

/** The form in which addresses are kept and compared. Expects `isEmail`, or that the contract's schema let it through. */
export const canonicalEmail = (email: string): string => email.toLowerCase();

/** The same of several, each once, in the order in which they were given. */
export const canonicalEmails = (emails: readonly string[]): string[] => [...new Set(emails.map(canonicalEmail))];
