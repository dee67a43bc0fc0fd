// The format of a backup: a tar of these entries in this order, compressed by zstd, followed by its hash. The entries
// are `header.json`, each table in pieces (`tables/<name>/<n>`, in COPY's binary form), `secrets.json`, and
// `manifest.json` with the expected sums. It does not know files or databases.
import Type, { type Static, type TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { parsedJson } from "@plinth/platform/malformed";

/** Increased when a program for this format could not read the next one. */
export const format = 1;

/** The size of a table's piece, in bytes: the most that is held in memory at once. */
export const pieceBytes = 4 * 1024 * 1024;
/** The largest entry that is read as a whole, in bytes. */
export const textBytes = 1024 * 1024;

const Name = Type.String({ pattern: "^[a-z_][a-z0-9_]{0,62}$" });
const Sha256 = Type.String({ pattern: "^[0-9a-f]{64}$" });
const Count = Type.Integer({ minimum: 0 });

const Header = Type.Object({
  format: Type.Integer(),
  /** The version of the program that made the backup. */
  program: Type.String({ pattern: "^[0-9A-Za-z.+-]{1,100}$" }),
  madeAt: Type.String({ pattern: "^[0-9TZ:.-]{1,40}$" }),
  /** The database's migrations, oldest first. */
  migrations: Type.Array(Type.Object({ hash: Sha256, createdAt: Count }), { minItems: 1, maxItems: 10_000 }),
  /** Each table follows the tables that it references. */
  tables: Type.Array(Type.Object({ name: Name, columns: Type.Array(Name, { minItems: 1, maxItems: 1600 }) }), {
    maxItems: 1000,
  }),
});
export type Header = Static<typeof Header>;
export type TableHeader = Header["tables"][number];

const Secret = Type.Optional(Type.String({ minLength: 1, maxLength: 4096 }));
const Secrets = Type.Object({ secret: Secret, "operator-token": Secret }, { additionalProperties: false });
/** The generated secrets of an embedded instance, by file name. */
export type Secrets = Static<typeof Secrets>;

const Manifest = Type.Object({
  tables: Type.Record(Name, Type.Object({ rows: Count, bytes: Count, sha256: Sha256 })),
});
export type Manifest = Static<typeof Manifest>;
export type TableSum = Manifest["tables"][string];

/** The file is not a complete backup of Plinth. */
export class BrokenBackup extends Error {
  override readonly name = "BrokenBackup";
}

function readerOf<Value>(schema: TSchema, entry: string): (text: string) => Value {
  const compiled = Compile(schema);
  return (text) => {
    const value = parsedJson(text);
    if (value === undefined) throw new BrokenBackup(`its ${entry} is no JSON`);
    if (!compiled.Check(value)) throw new BrokenBackup(`its ${entry} is not as it should be`);
    return value as Value;
  };
}

export const readHeader = readerOf<Header>(Header, "header.json");
export const readSecrets = readerOf<Secrets>(Secrets, "secrets.json");
export const readManifest = readerOf<Manifest>(Manifest, "manifest.json");

const digits = 8;
export const pieceName = (table: string, number: number): string =>
  `tables/${table}/${String(number).padStart(digits, "0")}`;
