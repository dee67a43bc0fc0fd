// Asks the person, through a client that can show a form, before something becomes public. The answer comes with the same
// call again, because no request here waits for another one; the program reports it, so it is no proof of a consent.
import { inputRequired, inputResponse, type InputRequiredResult } from "@modelcontextprotocol/server";
import { AppError } from "@plinth/contract/errors";

/** How the person answered through their client. */
export interface PersonAsked {
  /** Whether the client can show a form. */
  readonly canAsk: boolean;
  readonly answer: "allowed" | "declined" | null;
}

/** Thrown to answer a call with a question. */
export class PublicQuestion extends Error {
  override readonly name = "PublicQuestion";
  constructor(readonly what: string) {
    super(`whether ${what} is to be public`);
  }
}

const key = "makePublic";

interface Sent {
  readonly envelope?: Readonly<Record<string, unknown>>;
  readonly inputResponses?: Record<string, unknown>;
}

const capabilitiesKey = "io.modelcontextprotocol/clientCapabilities";

export function personAsked({ envelope = {}, inputResponses }: Sent): PersonAsked {
  const { elicitation } = (envelope[capabilitiesKey] ?? {}) as { elicitation?: Readonly<Record<string, unknown>> };
  // Without a mode, a client shows forms.
  const canAsk = elicitation !== undefined && ("form" in elicitation || Object.keys(elicitation).length === 0);
  const response = inputResponse(inputResponses, key);
  if (response.kind !== "elicit") return { canAsk, answer: null };
  const isAllowed = response.action === "accept" && response.content?.["confirm"] === true;
  return { canAsk, answer: isAllowed ? "allowed" : "declined" };
}

/** @throws PublicQuestion where the person must be asked, forbidden where they declined */
export function requireConsent({ canAsk, answer }: PersonAsked, what: string): void {
  if (!canAsk || answer === "allowed") return;
  if (answer === null) throw new PublicQuestion(what);
  throw new AppError("forbidden", "Your person was asked and did not allow making this public; nothing was written", {
    hint: "Publish it private, or share it by email addresses or a link",
  });
}

export const questionResult = ({ what }: PublicQuestion): InputRequiredResult =>
  inputRequired({
    inputRequests: {
      [key]: inputRequired.elicit({
        message: `Make ${what} public? Anyone with its address can then view it.`,
        requestedSchema: {
          type: "object",
          properties: { confirm: { type: "boolean", title: "Make it public", default: false } },
          required: ["confirm"],
        },
      }),
    },
  });
