// OpenAI's Chat Completions API, as it streams.
import { dataStream, receivedOf, type Part, type ServiceForm } from "./model-service.ts";

/** The part of a request that is read here. */
interface Body {
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly messages: readonly (ToolMessage | { readonly role: "system" | "user" | "assistant" })[];
}

interface ToolMessage {
  readonly role: "tool";
  readonly tool_call_id: string;
  readonly content: string | readonly ContentPart[];
}

type ContentPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image_url"; readonly image_url: { readonly url: string } };

export const openAiChat: ServiceForm = {
  path: /^\/v1\/chat\/completions$/,
  read(body) {
    const { tools = [], messages } = body as Body;
    const results = messages.filter((message) => message.role === "tool");
    return {
      offered: tools.map((tool) => ({ name: tool.function.name })),
      results: new Map(results.map((message) => [message.tool_call_id, receivedOf(partsOf(message))])),
    };
  },
  call: (id, { name }, given) =>
    message("tool_calls", {
      tool_calls: [{ index: 0, id, type: "function", function: { name, arguments: JSON.stringify(given) } }],
    }),
  say: (content) => message("stop", { content }),
};

function partsOf({ content }: ToolMessage): Part[] {
  if (typeof content === "string") return [{ text: content }];
  return content.map((part) => {
    if (part.type === "text") return { text: part.text };
    const [, mediaType, base64] = /^data:(.*?);base64,(.*)$/s.exec(part.image_url.url) ?? [];
    if (mediaType === undefined || base64 === undefined)
      throw new Error(`a message has the part ${JSON.stringify(part)}`);
    return { mediaType, base64 };
  });
}

/** A message in one delta. */
function message(finishReason: string, delta: object): Response {
  const chunk = { id: "chat_1", object: "chat.completion.chunk", created: 0, model: "scripted" };
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const chunks = [
    { ...chunk, choices: [{ index: 0, delta: { role: "assistant", ...delta }, finish_reason: null }] },
    { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: finishReason }], usage },
  ];
  return dataStream([...chunks.map((each) => JSON.stringify(each)), "[DONE]"]);
}
