// `document.cookie` in memory: what is set can be read until the page ends, and is sent nowhere.

const countMax = 50;
const lengthMax = 4096;

/** As the two functions of a property. */
export function memoryCookies(): { get: () => string; set: (line: unknown) => void } {
  const cookies = new Map<string, string>();
  return {
    get: () => [...cookies].map(([name, value]) => (name ? `${name}=${value}` : value)).join("; "),
    set(line) {
      const [pair = "", ...attributes] = String(line).slice(0, lengthMax).split(";");
      const at = pair.indexOf("=");
      const name = pair.slice(0, Math.max(at, 0)).trim();
      const hasEnded = attributes.some((attribute) => {
        const [key = "", value = ""] = attribute.split("=").map((part) => part.trim());
        return /^max-age$/i.test(key) ? Number(value) <= 0 : /^expires$/i.test(key) && Date.parse(value) <= Date.now();
      });
      if (hasEnded) cookies.delete(name);
      else if (cookies.has(name) || cookies.size < countMax) cookies.set(name, pair.slice(at + 1).trim());
    },
  };
}
