// The instance's public information, and the caller's own profile.
import Type from "typebox";

import { anyCaller, operation, personWithLogin } from "../operation.ts";
import { Profile } from "../schemas/account.ts";
import { Health } from "../schemas/instance.ts";
import { Body, Flag } from "../schemas/shape.ts";
import { Name, Username } from "../schemas/text.ts";

export const health = operation({
  name: "health",
  summary: "Check whether the instance can serve",
  method: "GET",
  path: "/api/health",
  ...anyCaller,
  input: Body({
    live: Type.Optional(Type.String({ maxLength: 16, description: "If given, only checks that the process answers" })),
  }),
  output: Health,
  cli: { command: "health" },
});

export const getProfile = operation({
  name: "profile.get",
  summary: "Get your profile, plan and the permissions of your credential",
  method: "GET",
  path: "/api/profile/me",
  scope: null,
  resource: null,
  input: Body({ workspaces: Flag("With the workspaces you belong to") }),
  output: Profile,
  mcp: { tool: "whoami" },
  cli: { command: "whoami", aliases: ["profile get"] },
});

export const updateProfile = operation({
  name: "profile.update",
  summary: "Claim or change your username, change your name",
  description:
    "Claiming a username creates your personal workspace. After a change the old one leads to you, and is " +
    "reserved for you.",
  method: "PATCH",
  path: "/api/profile/me",
  ...personWithLogin,
  input: Body({ username: Type.Optional(Username), name: Type.Optional(Name) }),
  output: Profile,
  errors: ["slug_conflict"],
  dryRun: true,
  cli: { command: "profile set-username", aliases: ["profile update"] },
});
