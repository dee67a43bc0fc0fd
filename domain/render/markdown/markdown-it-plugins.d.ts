// Types of plug-ins that have none.
declare module "markdown-it-deflist" {
  import type { MarkdownIt } from "markdown-it";
  export default function deflist(parser: MarkdownIt): void;
}
