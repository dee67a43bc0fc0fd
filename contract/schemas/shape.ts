// Schema builders that every resource uses.
import Type, { type TObject, type TProperties, type TSchema } from "typebox";

/** An object without other members: an unknown field is an error that names it (docs/reference/contract.md §2). */
export const Body = <Fields extends TProperties>(fields: Fields): TObject<Fields> =>
  Type.Object(fields, { additionalProperties: false });

export const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/** A boolean that can be left out. */
export const Flag = (description: string) => Type.Optional(Type.Boolean({ description }));

/** A text of one to `maxLength` characters. */
export const Text = (maxLength: number, description: string) => Type.String({ minLength: 1, maxLength, description });

/** A page of a list under the collection's own name, newest first. */
export const List = <Name extends string, Item extends TSchema>(name: Name, item: Item) =>
  Type.Object({
    [name]: Type.Array(item),
    nextCursor: Nullable(Type.String()),
  } as { [Key in Name]: ReturnType<typeof Type.Array<Item>> } & {
    nextCursor: ReturnType<typeof Nullable<ReturnType<typeof Type.String>>>;
  });

/** The output of an operation without one (204). */
export const Nothing = Type.Object({ dryRun: Type.Optional(Type.Literal(true)) });
