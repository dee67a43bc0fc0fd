// Detects a jsx source whose component is a part of an application, which gives it its props.
import { parseSync, type Program } from "oxc-parser";

/** The first of the props that the shown component requires; null for a component that can stand alone. */
export function requiredProp(source: string): string | null {
  const { program, errors } = parseSync("document.tsx", source, { lang: "tsx", sourceType: "module" });
  if (errors.length > 0) return null;
  const head = shownHead(program, source);
  for (const statement of program.body) {
    const declared = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
    const members = membersOf(declared);
    if (members === null || !new RegExp(`\\b${members.name}\\b`).test(head)) continue;
    const required = members.list.find((member) => member.type === "TSPropertySignature" && member.optional !== true);
    if (required !== undefined) return source.slice(required.start, required.end).split(":")[0]?.trim() ?? null;
  }
  return null;
}

interface Member {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly optional?: boolean;
}

function membersOf(declared: Program["body"][number] | null): { name: string; list: readonly Member[] } | null {
  if (declared?.type === "TSInterfaceDeclaration") return { name: declared.id.name, list: declared.body.body };
  if (declared?.type !== "TSTypeAliasDeclaration" || declared.typeAnnotation.type !== "TSTypeLiteral") return null;
  return { name: declared.id.name, list: declared.typeAnnotation.members };
}

/** The text before the body of the default export, or else of the last exported function. */
function shownHead(program: Program, source: string): string {
  const heads = new Map<string, string>();
  let shown = "";
  for (const statement of program.body) {
    const isExport = statement.type === "ExportNamedDeclaration" || statement.type === "ExportDefaultDeclaration";
    const declared = isExport ? statement.declaration : statement;
    const name =
      declared?.type === "FunctionDeclaration"
        ? declared.id?.name
        : declared?.type === "VariableDeclaration" && declared.declarations[0]?.id.type === "Identifier"
          ? declared.declarations[0].id.name
          : undefined;
    if (declared?.type === "Identifier" && statement.type === "ExportDefaultDeclaration") shown = declared.name;
    if (name === undefined || declared === null) continue;
    heads.set(name, source.slice(declared.start, declared.end).split(/=>|\)\s*\{/)[0] ?? "");
    if (isExport) shown = name;
  }
  return heads.get(shown) ?? "";
}
