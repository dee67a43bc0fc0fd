// JavaScript text that cannot end or disturb the script element it is put into.

/**
 * Escapes each `<` that could begin `</script`, `<script` or `<!--`, the three the HTML parser acts
 * on inside a script element. Printed by a code generator, such a `<` lies within a string, a
 * template, a regular expression or a comment, where `\x3c` means the same; only `String.raw` sees
 * the difference.
 */
export function inlineScriptText(code: string): string {
  return code.replace(/(\\*)<(?=\/script|script|!--)/gi, (_match, backslashes: string) =>
    // After an odd number of backslashes the last one already escapes the character.
    backslashes.length % 2 === 1 ? `${backslashes}x3c` : `${backslashes}\\x3c`,
  );
}
