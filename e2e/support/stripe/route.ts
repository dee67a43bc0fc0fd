// What a route is: its parameters are read, others refused, and only then is anything done.
import type { Parameters } from "./parameters.ts";
import type { World } from "./world.ts";

type Method = "GET" | "POST" | "DELETE";
type Answer = { readonly object: string };

export interface Route {
  readonly method: Method;
  /** `:id` stands for an identifier. */
  readonly path: string;
  /** @throws StripeFailure */
  answer(world: World, parameters: Parameters, id: string): Answer;
}

export function route<Wanted>(
  method: Method,
  path: string,
  read: (parameters: Parameters) => Wanted,
  does: (world: World, wanted: Wanted, id: string) => Answer,
): Route {
  return {
    method,
    path,
    answer(world, parameters, id) {
      const wanted = read(parameters);
      parameters.end();
      return does(world, wanted, id);
    },
  };
}

export const nothing = (): null => null;
