// Agents of foreign frameworks with a model that follows a script: it calls one tool, and what it receives for that is
// what a real model would see. No request leaves the machine.
import { createMCPClient } from "@ai-sdk/mcp";
import { ChatAnthropic } from "@langchain/anthropic";
import { HumanMessage, ToolMessage, type BaseMessage } from "@langchain/core/messages";
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { ChatOpenAI } from "@langchain/openai";
import { Agent, MCPServerStreamableHttp, Runner, Usage, type Model, type ModelRequest } from "@openai/agents";
import { generateText, isStepCount } from "ai";
import { MockLanguageModelV4 } from "ai/test";

/** The instance's endpoint, and what the agent signs in with. */
export interface Endpoint {
  readonly url: string;
  readonly token: string;
}

export interface ToolCall {
  readonly name: string;
  readonly given: Readonly<Record<string, unknown>>;
}

export interface Seen {
  /** The names of the tools that the model may call. */
  readonly tools: readonly string[];
  /** What the model receives as the tool's result, as JSON. */
  readonly result: string;
}

/** Runs an agent whose model calls one tool and then ends. */
type Framework = (endpoint: Endpoint, call: ToolCall) => Promise<Seen>;

const question = "Do what you were made for.";
const callId = "call_1";
const authorizationOf = ({ token }: Endpoint) => ({ authorization: `Bearer ${token}` });

const vercel: Framework = async (endpoint, { name, given }) => {
  const client = await createMCPClient({
    transport: { type: "http", url: endpoint.url, headers: authorizationOf(endpoint) },
  });
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  const model = new MockLanguageModelV4({
    doGenerate: [
      {
        content: [{ type: "tool-call", toolCallId: callId, toolName: name, input: JSON.stringify(given) }],
        finishReason: { unified: "tool-calls", raw: undefined },
        usage,
        warnings: [],
      },
      {
        content: [{ type: "text", text: "Done." }],
        finishReason: { unified: "stop", raw: undefined },
        usage,
        warnings: [],
      },
    ],
  });
  try {
    await generateText({ model, tools: await client.tools(), prompt: question, stopWhen: isStepCount(2) });
  } finally {
    await client.close();
  }
  const [first, second] = model.doGenerateCalls;
  return {
    tools: (first?.tools ?? []).map((tool) => tool.name),
    result: JSON.stringify(second?.prompt.find(({ role }) => role === "tool")),
  };
};

const openAiAgents: Framework = async (endpoint, { name, given }) => {
  const server = new MCPServerStreamableHttp({
    url: endpoint.url,
    requestInit: { headers: authorizationOf(endpoint) },
  });
  const requests: Pick<ModelRequest, "input" | "tools">[] = [];
  const model: Model = {
    getResponse({ input, tools }) {
      requests.push(structuredClone({ input, tools }));
      return Promise.resolve({
        usage: new Usage(),
        output:
          requests.length === 1
            ? [{ type: "function_call", callId, name, arguments: JSON.stringify(given), status: "completed" }]
            : [
                {
                  type: "message",
                  role: "assistant",
                  status: "completed",
                  content: [{ type: "output_text", text: "Done." }],
                },
              ],
      });
    },
    getStreamedResponse() {
      throw new Error("no stream was asked for");
    },
  };
  await server.connect();
  try {
    const agent = new Agent({ name: "agent", model, mcpServers: [server] });
    await new Runner({ tracingDisabled: true }).run(agent, question);
  } finally {
    await server.close();
  }
  const [first, second] = requests;
  const received = Array.isArray(second?.input) ? second.input : [];
  return {
    tools: (first?.tools ?? []).flatMap((tool) => (tool.type === "function" ? [tool.name] : [])),
    result: JSON.stringify(received.find(({ type }) => type === "function_call_result")),
  };
};

/** A provider's API as a function: answers with the scripted call first, and keeps what it was sent. */
function scripted<Body>(first: object, second: object) {
  const bodies: Body[] = [];
  const fetch = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    bodies.push((await new Request(url, init).json()) as Body);
    return Response.json(bodies.length === 1 ? first : second);
  };
  return { bodies, fetch };
}

/** What Anthropic's API is sent, as far as it is read here. */
interface AnthropicBody {
  readonly tools: readonly { readonly name: string }[];
  readonly messages: readonly { readonly content: string | readonly { readonly type: string }[] }[];
}

/** The same of OpenAI's. */
interface OpenAiBody {
  readonly tools: readonly { readonly function: { readonly name: string } }[];
  readonly messages: readonly { readonly role: string }[];
}

/** The part of LangChain's chat models that the loop below needs. */
type ChatModel = ChatAnthropic | ChatOpenAI;

async function langChain(endpoint: Endpoint, model: ChatModel): Promise<void> {
  const client = new MultiServerMCPClient({
    mcpServers: { plinth: { url: endpoint.url, headers: authorizationOf(endpoint) } },
    useStandardContentBlocks: true,
  });
  try {
    const tools = await client.getTools();
    const bound = model.bindTools(tools);
    const messages: BaseMessage[] = [new HumanMessage(question)];
    const asked = await bound.invoke(messages);
    const [called] = asked.tool_calls ?? [];
    const tool = tools.find(({ name }) => name === called?.name);
    if (tool === undefined || called === undefined) throw new Error(`no tool ${called?.name}`);
    const result = (await tool.invoke({ ...called, type: "tool_call" }).catch(refusedMessage)) as BaseMessage;
    await bound.invoke([...messages, asked, result]);
  } finally {
    await client.close();
  }
}

/** What LangGraph's node for tools makes of a refusal. @throws the error if it is none of a tool */
function refusedMessage(error: unknown): ToolMessage {
  if (!(error instanceof Error) || error.name !== "ToolException") throw error;
  return new ToolMessage({
    content: `Error: ${error.message}\n Please fix your mistakes.`,
    tool_call_id: callId,
    status: "error",
  });
}

const langChainAnthropic: Framework = async (endpoint, { name, given }) => {
  const answer = { id: "msg_1", type: "message", role: "assistant", model: "claude", stop_sequence: null };
  const usage = { input_tokens: 1, output_tokens: 1 };
  const { bodies, fetch } = scripted<AnthropicBody>(
    { ...answer, usage, stop_reason: "tool_use", content: [{ type: "tool_use", id: callId, name, input: given }] },
    { ...answer, usage, stop_reason: "end_turn", content: [{ type: "text", text: "Done." }] },
  );
  await langChain(endpoint, new ChatAnthropic({ apiKey: "none", model: "claude", clientOptions: { fetch } }));
  const [first, second] = bodies;
  const blocks = (second?.messages ?? []).flatMap(({ content }) => (typeof content === "string" ? [] : content));
  return {
    tools: (first?.tools ?? []).map((tool) => tool.name),
    result: JSON.stringify(blocks.find(({ type }) => type === "tool_result")),
  };
};

const langChainOpenAi: Framework = async (endpoint, { name, given }) => {
  const answer = { id: "chatcmpl_1", object: "chat.completion", created: 1, model: "gpt" };
  const calls = [{ id: callId, type: "function", function: { name, arguments: JSON.stringify(given) } }];
  const choice = (message: object, finish_reason: string) => [{ index: 0, finish_reason, message }];
  const { bodies, fetch } = scripted<OpenAiBody>(
    { ...answer, choices: choice({ role: "assistant", content: null, tool_calls: calls }, "tool_calls") },
    { ...answer, choices: choice({ role: "assistant", content: "Done." }, "stop") },
  );
  await langChain(
    endpoint,
    new ChatOpenAI({ apiKey: "none", model: "gpt", useResponsesApi: false, configuration: { fetch } }),
  );
  const [first, second] = bodies;
  return {
    tools: (first?.tools ?? []).map((tool) => tool.function.name),
    result: JSON.stringify(second?.messages.find(({ role }) => role === "tool")),
  };
};

export const frameworks: Readonly<Record<string, Framework>> = {
  "the AI SDK of Vercel": vercel,
  "OpenAI Agents": openAiAgents,
  "LangChain with ChatAnthropic": langChainAnthropic,
  "LangChain with ChatOpenAI": langChainOpenAi,
};
