// `fields` of a list over REST: only these members of each item, because a whole artifact costs an agent 290 tokens and its URL and
// title 45. The other surfaces have their own short forms.
import type { FieldError } from "@plinth/contract/errors";
import { listItems } from "@plinth/contract/list-items";
import { nearest } from "@plinth/contract/suggestion";
import type { NamedOperation } from "@plinth/domain/input";
import type { Answer } from "@plinth/domain/request/outcome";

const parameter = "fields";

/** The members that a request names, in its order; null where it names none, or lists nothing. */
function fieldsIn(op: Pick<NamedOperation, "output">, query: URLSearchParams): readonly string[] | null {
  const given = query.get(parameter);
  return given === null || listItems(op) === null ? null : [...new Set(given.split(","))];
}

export function fieldsErrors(op: NamedOperation, query: URLSearchParams): FieldError[] {
  const items = listItems(op);
  const wanted = fieldsIn(op, query);
  if (items === null || wanted === null) return [];
  if (query.getAll(parameter).length > 1) return [{ path: parameter, message: "is given more than once" }];
  const [stray] = wanted.filter((name) => !items.fields.includes(name));
  if (stray === undefined) return [];
  const near = nearest(stray, items.fields);
  const advice = near.length > 0 ? `did you mean ${near.join(" or ")}?` : `there are ${items.fields.join(", ")}`;
  return [{ path: parameter, message: `names ${JSON.stringify(stray.slice(0, 100))}, which no item has; ${advice}` }];
}

/** The answer with those members of its items alone that the query names; most queries name none. */
export function withFields(answer: Answer, search: string): Answer {
  const fields = search.includes(parameter) ? fieldsIn(answer.operation, new URLSearchParams(search)) : null;
  const items = fields === null ? null : listItems(answer.operation);
  if (fields === null || items === null) return answer;
  const value = answer.value as Readonly<Record<string, unknown>>;
  const listed = value[items.collection] as readonly Readonly<Record<string, unknown>>[];
  const short = listed.map((item) =>
    Object.fromEntries(fields.flatMap((name) => (name in item ? [[name, item[name]]] : []))),
  );
  return { ...answer, value: { ...value, [items.collection]: short } };
}
