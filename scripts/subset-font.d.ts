// The part of subset-font that scripts/fonts.ts uses of the package, which has no types.
declare module "subset-font" {
  interface Options {
    readonly keepAllGlyphs: true;
    readonly targetFormat: "woff2";
    readonly variationAxes: Readonly<
      Record<string, number | { readonly min: number; readonly max: number; readonly default: number }>
    >;
  }
  export default function subset(font: Buffer, text: undefined, options: Options): Promise<Buffer>;
}
