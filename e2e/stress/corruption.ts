// The one defect of a request, as plain data, so that a failing case can be read, shrunk and sent again.
export type Corruption =
  | { readonly kind: "field"; readonly at: readonly (string | number)[]; readonly json: string | null }
  | { readonly kind: "query"; readonly name: string; readonly values: readonly string[] }
  | { readonly kind: "path"; readonly name: string; readonly value: string }
  | { readonly kind: "json"; readonly at: readonly (string | number)[]; readonly json: string }
  | { readonly kind: "body"; readonly base64: string; readonly headers: Readonly<Record<string, string>> }
  | { readonly kind: "header"; readonly name: string; readonly value: string }
  | { readonly kind: "method"; readonly method: string }
  | { readonly kind: "prefix"; readonly path: string };
