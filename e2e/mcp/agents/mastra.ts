// An agent of the library Mastra, connected as its documentation does it.
import { join } from "node:path";

import { mcpAddress } from "@plinth/contract/guides/connect";
import { openAiChat } from "@plinth/support/model-service/openai-chat";

import type { Agent } from "./agent.ts";

export const mastra: Agent = {
  name: "Mastra",
  form: openAiChat,
  commands: ({ installed }) =>
    Promise.resolve([[process.execPath, join(import.meta.dir, "mastra-program.ts"), installed]]),
  environment: ({ modelService, publicUrl, token }) => ({
    MODEL_URL: `${modelService}/v1`,
    MCP_URL: mcpAddress(publicUrl),
    PLINTH_TOKEN: token,
    MASTRA_TELEMETRY_DISABLED: "1",
  }),
  // The result as JSON: whole, of its parts alone where one is an image, and of an error the text.
  read({ text, images }) {
    if (!/^[{[]/.test(text)) return { text, images };
    const result = JSON.parse(text) as Result | Result["content"];
    const { content, ...rest } = "content" in result ? result : { content: result };
    const texts = content.flatMap((part) => (part.type === "text" ? [part.text] : []));
    const shown = content.flatMap((part) => (part.type === "text" ? [] : [part]));
    return {
      text: [...texts, JSON.stringify(rest)].join("\n"),
      images: shown.map(({ mediaType, data }) => ({ mediaType, base64: data })),
    };
  },
};

/** The forms in which the service of the model gets it. */
interface Result {
  readonly content: readonly (
    | { readonly type: "text"; readonly text: string }
    | { readonly type: "image-data"; readonly mediaType: string; readonly data: string }
  )[];
}
