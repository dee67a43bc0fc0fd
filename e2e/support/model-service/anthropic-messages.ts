// Anthropic's Messages API, as it streams.
import { eventStream, receivedOf, type Part, type ServiceForm } from "./model-service.ts";

/** The part of a request that is read here. */
interface Body {
  readonly tools?: readonly { readonly name: string }[];
  readonly messages: readonly { readonly content: string | readonly (ToolResult | OtherBlock)[] }[];
}

interface ToolResult {
  readonly type: "tool_result";
  readonly tool_use_id: string;
  readonly content?: string | readonly ResultBlock[];
}

interface OtherBlock {
  readonly type: "text" | "tool_use";
}

type ResultBlock =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly source: { readonly media_type: string; readonly data: string } };

export const anthropicMessages: ServiceForm = {
  path: /^\/v1\/messages$/,
  read(body) {
    const { tools = [], messages } = body as Body;
    const blocks = messages.flatMap(({ content }) => (typeof content === "string" ? [] : content));
    const results = blocks.filter((block) => block.type === "tool_result");
    return {
      offered: tools.map(({ name }) => ({ name })),
      results: new Map(results.map((block) => [block.tool_use_id, receivedOf(partsOf(block))])),
    };
  },
  call: (callId, { name }, given) =>
    message("tool_use", { type: "tool_use", id: callId, name, input: {} }, [
      { type: "input_json_delta", partial_json: JSON.stringify(given) },
    ]),
  say: (text) => message("end_turn", { type: "text", text: "" }, [{ type: "text_delta", text }]),
};

function partsOf({ content = "" }: ToolResult): Part[] {
  if (typeof content === "string") return [{ text: content }];
  return content.map((block) => {
    if (block.type === "text") return { text: block.text };
    if (block.type === "image") return { mediaType: block.source.media_type, base64: block.source.data };
    throw new Error(`a tool result has the block ${JSON.stringify(block)}`);
  });
}

/** A message of one block. */
function message(stopReason: string, block: object, deltas: readonly object[]): Response {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const head = { id: "msg_1", type: "message", role: "assistant", model: "scripted", content: [], usage };
  return eventStream([
    { type: "message_start", message: { ...head, stop_reason: null, stop_sequence: null } },
    { type: "content_block_start", index: 0, content_block: block },
    ...deltas.map((delta) => ({ type: "content_block_delta", index: 0, delta })),
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: stopReason, stop_sequence: null }, usage: { output_tokens: 1 } },
    { type: "message_stop" },
  ]);
}
