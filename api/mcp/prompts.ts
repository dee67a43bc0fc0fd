// The prompts that a client offers its person, for example as a slash command: what the model is told to do.
import { ProtocolError, ProtocolErrorCode, type GetPromptResult, type Prompt } from "@modelcontextprotocol/server";

export const prompts: readonly Prompt[] = [
  {
    name: "publish_report",
    title: "Publish a report",
    description: "Publish a report at an address that stays, and send a link to those who should read it.",
    arguments: [
      { name: "topic", description: "What the report is about", required: true },
      { name: "address", description: "project/slug or owner/project/slug, where it is known" },
      { name: "readers", description: "Who should read it: everyone, email addresses, or people with a link" },
    ],
  },
];

/** @throws ProtocolError where there is no such prompt, or an argument is missing */
export function getPrompt(name: string, given: Readonly<Record<string, string>> = {}): GetPromptResult {
  const prompt = prompts.find((each) => each.name === name);
  if (prompt === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no such prompt");
  const { topic, address, readers } = given;
  if (topic === undefined || topic.trim() === "")
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "topic is required");
  const text = [
    `Write a report about ${topic} and publish it with Plinth.`,
    address === undefined
      ? "Find its place with list_projects (create_project makes one) and choose a short slug that fits every edition."
      : `Publish it at ${address}.`,
    "Publish with create_artifact and ifExists: update, so that its address stays and earlier editions are its versions; put " +
      "what changed into changelog.",
    "Look at get_artifact_preview with waitSeconds, and mend what is wrong.",
    readers === undefined
      ? "Publish it private unless I say otherwise."
      : `These should read it: ${readers}. Give them access with create_artifact's access, set_artifact_access or ` +
        "create_share_link; ask me before you make it public.",
    "Answer with its URL.",
  ].join("\n");
  const { description } = prompt;
  return {
    ...(description !== undefined && { description }),
    messages: [{ role: "user", content: { type: "text", text } }],
  };
}
