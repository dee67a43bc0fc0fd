// The scenarios of the conformance suites that say nothing of this server, and why. The tests fail where one of them
// begins to pass, and where a check fails that is not named here.

export interface NotApplicable {
  readonly because: string;
  /** The checks that don't hold; without them none does. */
  readonly unmet?: readonly string[];
  /** In the revision of 2026 it applies, and passes. */
  readonly before2026?: true;
}

const ofSuite = "of the suite's own";
const callsTools = `They call tools ${ofSuite}, which a server has for the suite alone; ours are tested with real clients`;
const getsPrompts = `They get prompts ${ofSuite}; ours are tested with real clients`;
const readsResources = `They read resources ${ofSuite}; reading is tested with real clients`;
const elicits = `They call tools ${ofSuite} that ask back; what asks here is tested with messages of our own`;
const sessions =
  "They are about sessions and streams that go on: here each request stands for itself, in every revision";
const logs = "Nothing is logged to the client, and no such capability is declared";
const subscribes = "Resources are versions, which never change; no subscription is declared";
const completes = "It completes an argument of a prompt; ours, of a template, with real clients";
const skills = "The extension io.modelcontextprotocol/skills is not declared; how to use Plinth is at /SKILL.md";
const tasks = "The extension io.modelcontextprotocol/tasks is not declared: no tool takes long enough to be waited for";

/** Scenarios of which no check holds, separated by spaces, for each reason. */
const noCheckHolds: readonly (readonly [because: string, scenarios: string])[] = [
  [
    callsTools,
    `tools-call-simple-text tools-call-image tools-call-audio tools-call-embedded-resource tools-call-mixed-content
     tools-call-error tools-call-with-progress tools-call-sampling json-schema-2020-12`,
  ],
  [logs, "tools-call-with-logging logging-set-level"],
  [readsResources, "resources-read-text resources-read-binary resources-templates-read"],
  [subscribes, "resources-subscribe resources-unsubscribe"],
  [completes, "completion-complete"],
  [
    getsPrompts,
    `prompts-get-simple prompts-get-with-args prompts-get-embedded-resource prompts-get-with-image
     input-required-result-non-tool-request`,
  ],
  [
    elicits,
    `tools-call-elicitation elicitation-sep1034-defaults elicitation-sep1330-enums
     input-required-result-basic-elicitation input-required-result-basic-sampling input-required-result-basic-list-roots
     input-required-result-request-state input-required-result-multiple-input-requests input-required-result-multi-round
     input-required-result-missing-input-response input-required-result-result-type
     input-required-result-tampered-state input-required-result-capability-check
     input-required-result-ignore-extra-params`,
  ],
  [sessions, "server-session-lifecycle server-sse-polling"],
  [
    "No tool asks for an argument to be repeated in a header, where whatever stands between would keep it",
    "http-custom-header-server-validation",
  ],
  [skills, "sep-2640-skills-directory sep-2640-skills-enumeration sep-2640-skills-manifest"],
  [
    tasks,
    `tasks-lifecycle tasks-capability-negotiation tasks-wire-fields tasks-request-state-removal tasks-mrtr-input
     tasks-status-notifications tasks-required-task-error tasks-mrtr-composition`,
  ],
];

export const notApplicable: Readonly<Record<string, NotApplicable>> = {
  ...Object.fromEntries(
    noCheckHolds.flatMap(([because, scenarios]) => scenarios.split(/\s+/).map((name) => [name, { because }])),
  ),
  "server-sse-multiple-streams": { because: sessions, before2026: true },
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
  "tasks-request-headers": {
    because: tasks,
    unmet: [
      "sep-2663-routing-headers-accepted-on-tasks-get",
      "sep-2663-server-rejects-mismatched-mcp-name-on-tasks-get",
      "tasks-headers-tolerate-mcp-method-on-tools-call",
    ],
  },
  "tasks-dispatch-and-envelope": {
    because: tasks,
    unmet: [
      "sep-2663-durable-create-strong-consistency",
      "sep-2663-legacy-task-param-ignored",
      "sep-2663-tasks-get-invalid-task-id-32602",
      "tasks-immediate-result-shortcut",
      "tasks-result-type-complete-on-non-task-responses",
      "tasks-server-directed-creation-no-hint",
    ],
  },
};
