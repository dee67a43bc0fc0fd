// A person with a session, and what the tests of credentials do as that person: create, list and use credentials.
import { scopes, type Scope } from "@plinth/contract/scopes";

import { createSetup, type Caller } from "../../test/context.ts";
import { connectCommandLine } from "./clients.ts";

export const day = 86_400_000;
export const inDays = (days: number): string => new Date(Date.now() + days * day).toISOString();

/** The scopes of a credential that creates others. */
export const managing: readonly Scope[] = ["artifacts:read", "artifacts:create", "agents:manage"];

/** The test file closes its test context. */
export async function createOwner() {
  const setup = await createSetup();
  const owner = await setup.person();
  const session = await setup.session(owner.userId);
  const agent = (more: object) => ({ name: "reviewer", scopes: ["artifacts:read" as const], ...more });
  return {
    setup,
    owner,
    session,
    createKey: (more: object = {}, as = session) =>
      setup.call("apiKey.create", { name: "ci", scopes: ["artifacts:read"], ...more }, { as }),
    createAgent: (as: Caller, more: object = {}) => setup.call("agent.create", agent(more), { as }),
    refusedAgent: (as: Caller, more: object = {}) => setup.refusal("agent.create", agent(more), { as }),
    listKeys: async (as: Caller = session) => {
      const { apiKeys } = await setup.call("apiKey.list", { limit: 100 }, { as });
      return apiKeys.map(({ apiKeyId }) => apiKeyId);
    },
    listAgents: async (as: Caller) => {
      const { agents } = await setup.call("agent.list", { limit: 100 }, { as });
      return agents.map(({ agentId }) => agentId);
    },
    /** Whether the caller still authenticates. */
    works: (as: Caller = "") =>
      setup.call("profile.get", {}, { as }).then(
        () => true,
        () => false,
      ),
    /** A login token of the owner's, created through an OAuth client that has these scopes. */
    login: async (held: readonly Scope[] = scopes, userId = owner.userId) => {
      const { caller } = await connectCommandLine(setup, userId, { scopes: held });
      return setup.call("agent.exchangeLogin", { name: "laptop" }, { as: caller });
    },
  };
}
