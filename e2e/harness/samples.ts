// The smallest document of each type that shows a text, for tests of its surroundings.

export const sources = {
  md: "# Text\n",
  html: "<!doctype html><p>Text</p>",
  jsx: "export default () => <p>Text</p>;\n",
} as const;

export const types = ["md", "html", "jsx"] as const;
