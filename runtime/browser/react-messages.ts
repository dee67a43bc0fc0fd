// React's built form tells errors by number; the ones that documents make are told in words.

type Say = (first: string, second: string) => string;

const MESSAGES: Readonly<Record<string, Say>> = {
  31: (found) =>
    `An object cannot be rendered (found: ${found}). Render one of its properties, or a list made of them.`,
  60: () => "An element has both children and dangerouslySetInnerHTML; only one of them can be.",
  62: () => "The style property is an object, such as style={{ color: 'red' }}, not a text.",
  130: (type) => `What should be a component is ${type}. Is it declared, and imported by its right name?`,
  137: (tag) => `<${tag}> cannot have children.`,
  185: () => "Maximum update depth exceeded: an effect or a render sets state each time, which renders again.",
  300: () => "Rendered fewer hooks than before. Hooks must not come after an early return.",
  301: () => "Too many re-renders: a component sets state while it renders.",
  310: () => "Rendered more hooks than before. Hooks must not be within conditions or loops.",
  321: () => "A hook was called outside of a component's body.",
  482: () => "A component is an async function, which only works on a server.",
};

/** The message itself, but React's in words where it is one of these. */
export function plainMessage(message: string): string {
  const [, code = ""] = /Minified React error #(\d+);/.exec(message) ?? [];
  const say = MESSAGES[code];
  if (!say) return message;
  const [first = "", second = ""] = [...message.matchAll(/args\[\]=([^&\s]*)/g)].map(([, text = ""]) => decoded(text));
  return say(first, second);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a message may be anyone's
  }
}
