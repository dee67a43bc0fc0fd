// OpenAI's Responses API, as it streams.
import { eventStream, receivedOf, type Offered, type Part, type ServiceForm } from "./model-service.ts";

/** The part of a request that is read here. */
interface Body {
  readonly tools?: readonly (Tool | Namespace)[];
  readonly input: readonly (Output | { readonly type: "message" | "function_call" })[];
}

interface Tool {
  readonly type: "function";
  readonly name: string;
}

interface Namespace {
  readonly type: "namespace";
  readonly name: string;
  readonly tools: readonly Tool[];
}

interface Output {
  readonly type: "function_call_output";
  readonly call_id: string;
  readonly output: string | readonly OutputPart[];
}

type OutputPart =
  | { readonly type: "input_text"; readonly text: string }
  | { readonly type: "input_image"; readonly image_url: string };

export const openAiResponses: ServiceForm = {
  path: /^\/v1\/responses$/,
  read(body) {
    const { tools = [], input } = body as Body;
    const results = input.filter((item) => item.type === "function_call_output");
    return {
      offered: tools.flatMap(offeredIn),
      results: new Map(results.map((item) => [item.call_id, receivedOf(partsOf(item))])),
    };
  },
  call: (callId, tool, given) =>
    response({ type: "function_call", id: `fc_${callId}`, call_id: callId, ...tool, arguments: JSON.stringify(given) }),
  say: (text) =>
    response({ type: "message", id: "msg_1", role: "assistant", content: [{ type: "output_text", text }] }),
};

/** Built-in tools, as the search of the web, have other types and no name. */
function offeredIn(tool: Tool | Namespace): Offered[] {
  if (tool.type === "namespace") return tool.tools.map(({ name }) => ({ name, namespace: tool.name }));
  return tool.type === "function" ? [{ name: tool.name }] : [];
}

function partsOf({ output }: Output): Part[] {
  if (typeof output === "string") return [{ text: output }];
  return output.map((part) => {
    if (part.type === "input_text") return { text: part.text };
    const [, mediaType, base64] =
      part.type === "input_image" ? (/^data:(.*?);base64,(.*)$/s.exec(part.image_url) ?? []) : [];
    if (mediaType === undefined || base64 === undefined)
      throw new Error(`an output has the part ${JSON.stringify(part)}`);
    return { mediaType, base64 };
  });
}

/** A response of one item. */
function response(item: object): Response {
  const usage = {
    input_tokens: 1,
    input_tokens_details: null,
    output_tokens: 1,
    output_tokens_details: null,
    total_tokens: 2,
  };
  return eventStream([
    { type: "response.created", response: { id: "resp_1" } },
    { type: "response.output_item.done", output_index: 0, item: { status: "completed", ...item } },
    { type: "response.completed", response: { id: "resp_1", usage } },
  ]);
}
