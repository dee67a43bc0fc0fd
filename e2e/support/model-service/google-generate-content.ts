// Google's generateContent, as it streams.
import { dataStream, receivedOf, type Part, type ServiceForm } from "./model-service.ts";

/** The part of a request that is read here. */
interface Body {
  readonly tools?: readonly { readonly functionDeclarations?: readonly { readonly name: string }[] }[];
  readonly contents: readonly { readonly parts?: readonly ContentPart[] }[];
}

interface ContentPart {
  readonly functionResponse?: FunctionResponse;
  readonly inlineData?: { readonly mimeType: string; readonly data: string };
}

interface FunctionResponse {
  readonly id?: string;
  readonly response: { readonly output?: unknown; readonly error?: unknown };
}

export const googleGenerateContent: ServiceForm = {
  path: /^\/v1beta\/models\/[^/]+:streamGenerateContent$/,
  aside: /^\/v1beta\/models\/[^/]+:countTokens$/,
  read(body) {
    const { tools = [], contents } = body as Body;
    const results = contents.flatMap(({ parts = [] }) =>
      parts.flatMap(({ functionResponse }) =>
        functionResponse === undefined
          ? []
          : [{ id: functionResponse.id ?? "", parts: partsOf(functionResponse, parts) }],
      ),
    );
    return {
      offered: tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => ({ name }))),
      results: new Map(results.map(({ id, parts }) => [id, receivedOf(parts)])),
    };
  },
  call: (id, { name }, args) => response({ functionCall: { id, name, args } }),
  say: (text) => response({ text }),
};

/** An image is a part of the message beside the response. */
function partsOf({ response: { output, error } }: FunctionResponse, beside: readonly ContentPart[]): Part[] {
  const said = output ?? error;
  if (typeof said !== "string") throw new Error(`a function has the response ${JSON.stringify({ output, error })}`);
  const images = beside.flatMap(({ inlineData }) =>
    inlineData === undefined ? [] : [{ mediaType: inlineData.mimeType, base64: inlineData.data }],
  );
  return [{ text: said }, ...images];
}

/** A message of one part. */
function response(part: object): Response {
  const candidate = { content: { role: "model", parts: [part] }, finishReason: "STOP", index: 0 };
  const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
  return dataStream([JSON.stringify({ candidates: [candidate], usageMetadata, modelVersion: "scripted" })]);
}
