// Types of an untyped package, as far as the tests use it.
declare module "commonmark-spec" {
  export const tests: readonly { markdown: string; html: string; section: string; number: number }[];
}
