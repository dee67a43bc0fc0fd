// What the tests use of a package that has no types of its own.
declare module "commonmark-spec" {
  export const tests: readonly { markdown: string; html: string; section: string; number: number }[];
}
