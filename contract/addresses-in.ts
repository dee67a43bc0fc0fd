// Email addresses in a text as people paste it: "Ada <ada@example.org>, bo@example.org", a line each, or from a mail's
// header. It does not say whether they are addresses: the schema of `Email` does.

const separators = /[\s,;]+/;

/** In their order. The domain of each is in ASCII, as mail servers know it. */
export function addressesIn(text: string): string[] {
  const found: string[] = [];
  let from = 0;
  for (let opens = text.indexOf("<"); opens >= 0; opens = text.indexOf("<", from)) {
    const closes = text.indexOf(">", opens);
    if (closes < 0) break;
    found.push(...withoutName(text.slice(from, opens)).split(separators), text.slice(opens + 1, closes).trim());
    from = closes + 1;
  }
  found.push(...text.slice(from).split(separators));
  return found.filter((address) => address !== "").map(inAscii);
}

/** The text before an address in angle brackets, up to the name of whom it is: in quotes, or after the last separator. */
function withoutName(before: string): string {
  const text = before.trimEnd();
  if (text.endsWith('"')) return text.slice(0, Math.max(0, text.lastIndexOf('"', text.length - 2)));
  return text.slice(0, Math.max(text.lastIndexOf(","), text.lastIndexOf(";"), text.lastIndexOf("\n")) + 1);
}

function inAscii(address: string): string {
  const at = address.lastIndexOf("@");
  const domain = address.slice(at + 1);
  if (at < 0 || /^[!-~]*$/.test(domain)) return address;
  const { hostname = "" } = URL.parse(`http://${domain}/`) ?? {};
  return hostname === "" ? address : `${address.slice(0, at)}@${hostname}`;
}
