// `get_artifact_access` says whom an artifact reaches, links included. `set_artifact_access` sets the access object, of which
// the caller may send a part; the rest stays as it is.
import { addressesIn } from "@plinth/contract/addresses-in";
import { findTool } from "@plinth/contract/mcp/tools";
import { Body } from "@plinth/contract/schemas/shape";
import { fieldErrors } from "@plinth/domain/input";
import type { Output } from "@plinth/contract/registry";
import type { Access } from "@plinth/contract/schemas/artifact";

import type { Arguments } from "./arguments.ts";
import { perform, tryOut, type Attempted, type Exchange } from "./exchange.ts";
import { placeOf } from "./place.ts";
import { requireConsent } from "./public-consent.ts";
import type { ToolAnswer } from "./result.ts";
import { setProjectAccess } from "./set-project-access.ts";
import { whoMay } from "./summaries.ts";

const { artifactId: _, ...fields } = findTool("set_artifact_access")?.input.properties ?? {};
const part = Body(fields);

const switches = ["publicView", "publicEdit", "viewerEmails"] as const satisfies readonly (keyof Access)[];

export async function getAccess(exchange: Exchange, given: Arguments): Promise<ToolAnswer> {
  const answer = await perform(exchange, "access.audience", given);
  const { access, see, edit } = answer.value as Output<"access.audience">;
  return { summary: `${placeOf(exchange, answer).url} ${whoMay(access)}.\n${see}. ${edit}.` };
}

export async function setAccess(exchange: Exchange, given: Arguments, attempted: Attempted): Promise<ToolAnswer> {
  spreadEmails(given.input);
  if (given.own["projectId"] !== undefined) return setProjectAccess(exchange, given, attempted);
  const { person } = attempted;
  const whole = await completed(exchange, given);
  if (person.canAsk && person.answer !== "allowed" && whole.input["publicView"] === true) {
    const { artifact } = placeOf(exchange, await tryOut(exchange, "access.update", whole));
    if (artifact?.publicView === false) requireConsent(person, artifact.title);
  }
  const isDry = given.own["dryRun"] === true;
  const answer = await (isDry ? tryOut : perform)(exchange, "access.update", whole);
  const access = answer.value as Access;
  const { url } = placeOf(exchange, answer);
  return { summary: `${url} ${isDry ? "would be changed, and nothing is written: it" : "now"} ${whoMay(access)}.` };
}

/** Several in one text, as they stand in a mail. A text without one stays, to be refused: it does not clear the list. */
function spreadEmails(input: Arguments["input"]): void {
  const { viewerEmails } = input;
  if (!Array.isArray(viewerEmails) || !viewerEmails.every((each) => typeof each === "string")) return;
  input["viewerEmails"] = viewerEmails.flatMap((each: string) => {
    const addresses = addressesIn(each);
    return addresses.length === 0 ? [each] : addresses;
  });
}

/** The whole object, read where a part of it is sent. */
async function completed(exchange: Exchange, given: Arguments): Promise<Arguments> {
  const { input, errors } = given;
  const sent = switches.filter((name) => input[name] !== undefined);
  const { artifactId, ...sentPart } = input;
  const faults = errors.length > 0 ? errors : fieldErrors(part, sentPart);
  if (faults.length > 0 || sent.length === switches.length) return { ...given, errors: faults };
  if (sent.length === 0)
    return {
      ...given,
      errors: [{ path: "publicView", message: `is required, or one of ${switches.slice(1).join(", ")}` }],
    };
  const { value } = await perform(exchange, "access.get", { input: { artifactId }, errors: [] });
  return { ...given, input: { artifactId, ...withPart(value as Access, input) } };
}

/** A private artifact cannot be edited by everyone either. */
export function withPart(access: Access, part: Partial<Access>): Access {
  const { publicView = access.publicView, publicEdit, viewerEmails = access.viewerEmails } = part;
  return { publicView, publicEdit: publicEdit ?? (publicView && access.publicEdit), viewerEmails };
}
