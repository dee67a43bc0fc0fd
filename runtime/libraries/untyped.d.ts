// Packages without types, as far as the runtime uses them.
declare module "html2pdf.js/src/index.js" {
  const html2pdf: (source?: Element | string, options?: object) => unknown;
  export default html2pdf;
}

declare module "plotly.js" {
  const Plotly: Readonly<Record<string, unknown>>;
  export default Plotly;
}
