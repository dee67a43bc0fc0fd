// The scenarios of the conformance suites that say nothing of this server, and why. The tests fail where one of them
// begins to pass, and where a check fails that is not named here.

export interface NotApplicable {
  readonly because: string;
  /** The checks that don't hold; without them none does. */
  readonly unmet?: readonly string[];
  /** In the revision of 2026 it applies, and passes. */
  readonly before2026?: true;
}

const itsTool = (name: string) => `It calls ${name}, a tool of the suite's own that a server has for the suite alone`;
const itsResource = (uri: string) =>
  `It reads ${uri}, a resource of the suite's own; reading is tested with real clients`;
const itsPrompt = "It gets a prompt of the suite's own; ours is tested with real clients";
const noElicitation = (name: string) =>
  `It calls ${name}, a tool of the suite's own that asks back; what asks here is tested with messages of our own`;
const noSessions =
  "It is about sessions and streams that go on: here each request stands for itself, in every revision";
const noLogging = "Nothing is logged to the client, and no such capability is declared";
const noSubscriptions = "Resources are versions, which never change; no subscription is declared";
const noSkills = "The extension io.modelcontextprotocol/skills is not declared; how to use Plinth is at /SKILL.md";
const noTasks =
  "The extension io.modelcontextprotocol/tasks is not declared: no tool takes long enough to be waited for";

export const notApplicable: Readonly<Record<string, NotApplicable>> = {
  "tools-call-simple-text": { because: itsTool("test_simple_text") },
  "tools-call-image": { because: itsTool("test_image_content") },
  "tools-call-audio": { because: itsTool("test_audio_content") },
  "tools-call-embedded-resource": { because: itsTool("test_embedded_resource") },
  "tools-call-mixed-content": { because: itsTool("test_multiple_content_types") },
  "tools-call-error": { because: `${itsTool("test_error_handling")}; refusals are tested with real clients` },
  "tools-call-with-progress": { because: itsTool("test_tool_with_progress") },
  "tools-call-with-logging": { because: noLogging },
  "tools-call-sampling": { because: itsTool("test_sampling") },
  "tools-call-elicitation": { because: noElicitation("test_elicitation") },
  "json-schema-2020-12": {
    because: `${itsTool("json_schema_2020_12_tool")}; our schemas are tested with real clients`,
  },

  "resources-read-text": { because: itsResource("test://static-text") },
  "resources-read-binary": { because: itsResource("test://static-binary") },
  "resources-templates-read": { because: itsResource("test://template/123/data") },
  "resources-subscribe": { because: noSubscriptions },
  "resources-unsubscribe": { because: noSubscriptions },

  "completion-complete": { because: "It completes an argument of a prompt; ours, of a template, with real clients" },
  "prompts-get-simple": { because: itsPrompt },
  "prompts-get-with-args": { because: itsPrompt },
  "prompts-get-embedded-resource": { because: itsPrompt },
  "prompts-get-with-image": { because: itsPrompt },

  "logging-set-level": { because: noLogging },
  "elicitation-sep1034-defaults": { because: noElicitation("test_elicitation_sep1034_defaults") },
  "elicitation-sep1330-enums": { because: noElicitation("test_elicitation_sep1330_enums") },

  "server-session-lifecycle": { because: noSessions },
  "server-sse-polling": { because: noSessions },
  "server-sse-multiple-streams": { because: noSessions, before2026: true },
  "server-stateless": {
    because:
      "These checks call test_missing_capability, test_streaming_elicitation and test_logging_tool, or wait for news of " +
      "lists that never change while a server runs",
    unmet: [
      "sep-2575-http-server-no-independent-requests-on-stream",
      "sep-2575-missing-capability-http-400",
      "sep-2575-server-no-log-without-loglevel",
      "sep-2575-server-rejects-undeclared-capability",
      "sep-2575-server-sends-prompts-list-changed-on-subscription",
      "sep-2575-server-sends-tools-list-changed-on-subscription",
    ],
  },
  "http-custom-header-server-validation": {
    because: "No tool asks for an argument to be repeated in a header, where whatever stands between would keep it",
  },

  "input-required-result-basic-elicitation": { because: noElicitation("test_input_required_result_elicitation") },
  "input-required-result-basic-sampling": { because: noElicitation("test_input_required_result_sampling") },
  "input-required-result-basic-list-roots": { because: noElicitation("test_input_required_result_list_roots") },
  "input-required-result-request-state": { because: noElicitation("test_input_required_result_request_state") },
  "input-required-result-multiple-input-requests": {
    because: noElicitation("test_input_required_result_multiple_inputs"),
  },
  "input-required-result-multi-round": { because: noElicitation("test_input_required_result_multi_round") },
  "input-required-result-missing-input-response": { because: noElicitation("test_input_required_result_elicitation") },
  "input-required-result-non-tool-request": { because: itsPrompt },
  "input-required-result-result-type": { because: noElicitation("test_input_required_result_elicitation") },
  "input-required-result-tampered-state": { because: noElicitation("test_input_required_result_tampered_state") },
  "input-required-result-capability-check": { because: noElicitation("test_input_required_result_capabilities") },
  "input-required-result-ignore-extra-params": { because: noElicitation("test_input_required_result_elicitation") },

  "sep-2640-skills-directory": { because: noSkills },
  "sep-2640-skills-enumeration": { because: noSkills },
  "sep-2640-skills-manifest": { because: noSkills },

  "tasks-lifecycle": { because: noTasks },
  "tasks-capability-negotiation": { because: noTasks },
  "tasks-wire-fields": { because: noTasks },
  "tasks-request-state-removal": { because: noTasks },
  "tasks-mrtr-input": { because: noTasks },
  "tasks-request-headers": {
    because: noTasks,
    unmet: [
      "sep-2663-routing-headers-accepted-on-tasks-get",
      "sep-2663-server-rejects-mismatched-mcp-name-on-tasks-get",
      "tasks-headers-tolerate-mcp-method-on-tools-call",
    ],
  },
  "tasks-dispatch-and-envelope": {
    because: noTasks,
    unmet: [
      "sep-2663-durable-create-strong-consistency",
      "sep-2663-legacy-task-param-ignored",
      "sep-2663-tasks-get-invalid-task-id-32602",
      "tasks-immediate-result-shortcut",
      "tasks-result-type-complete-on-non-task-responses",
      "tasks-server-directed-creation-no-hint",
    ],
  },
  "tasks-status-notifications": { because: noTasks },
  "tasks-required-task-error": { because: noTasks },
  "tasks-mrtr-composition": { because: noTasks },
};
