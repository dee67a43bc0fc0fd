// User codes of the device grant (RFC 8628, 6.1): eight consonants of twenty, 34 bits, which with ten minutes to live
// and ten guesses is beyond guessing.

const consonants = "BCDFGHJKLMNPQRSTVWXZ";
const groupLength = 4;

/** Written as two groups. */
export function newUserCode(): string {
  const letters = Array.from({ length: 2 * groupLength }, () => consonants.charAt(randomBelow(consonants.length)));
  return `${letters.slice(0, groupLength).join("")}-${letters.slice(groupLength).join("")}`;
}

/** As it is written, from however it was typed; null where it is no user code. */
export function readUserCode(typed: string): string | null {
  const letters = typed.toUpperCase().replaceAll(/[^A-Z0-9]/g, "");
  if (letters.length !== 2 * groupLength || [...letters].some((letter) => !consonants.includes(letter))) return null;
  return `${letters.slice(0, groupLength)}-${letters.slice(groupLength)}`;
}

/** Even, by drawing again what would make it uneven. */
function randomBelow(bound: number): number {
  const limit = 256 - (256 % bound);
  for (;;) {
    const [drawn = 0] = crypto.getRandomValues(new Uint8Array(1));
    if (drawn < limit) return drawn % bound;
  }
}
