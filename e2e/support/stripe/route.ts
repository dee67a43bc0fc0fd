// A route: it reads its parameters and refuses others before it does anything.
import type { Parameters } from "./parameters.ts";
import type { Setup } from "./setup.ts";

type Method = "GET" | "POST" | "DELETE";
type Answer = { readonly object: string };

export interface Route {
  readonly method: Method;
  /** `:id` stands for an identifier. */
  readonly path: string;
  /** @throws StripeFailure */
  answer(setup: Setup, parameters: Parameters, id: string): Answer;
}

export function route<Wanted>(
  method: Method,
  path: string,
  read: (parameters: Parameters) => Wanted,
  does: (setup: Setup, wanted: Wanted, id: string) => Answer,
): Route {
  return {
    method,
    path,
    answer(setup, parameters, id) {
      const wanted = read(parameters);
      parameters.end();
      return does(setup, wanted, id);
    },
  };
}

export const nothing = (): null => null;
