// An artifact, the caller and the instance's health for people: what they are first, then the rest in aligned lines.
import { actorInWords } from "@plinth/contract/actor-words";
import type { Profile } from "@plinth/contract/schemas/account";
import type { Artifact } from "@plinth/contract/schemas/artifact";
import type { Health } from "@plinth/contract/schemas/instance";

import { oneLine, type Style } from "../terminal/style.ts";
import { fileSize, relativeTime, spaced } from "./formatting.ts";

export function artifactText(value: unknown, style: Style): string {
  const artifact = value as Artifact & { readonly workingShareLinks?: number };
  const { ownerUsername, projectSlug, slug, type, latestVersion, access, url, dryRun, sourcePath } = artifact;
  const visibility = access.publicView ? (access.publicEdit ? "public, anyone signed in edits" : "public") : "private";
  const { permissions, workingShareLinks } = artifact;
  const can = Object.entries(permissions ?? {}).flatMap(([name, isHeld]) => (isHeld ? [spaced(name)] : []));
  return [
    ...(dryRun ? ["Nothing is written. It would be so:"] : []),
    style.paint("bold", oneLine(artifact.title)),
    oneLine(`${ownerUsername}/${projectSlug}/${slug} · ${type} · v${latestVersion} · ${visibility}`),
    style.link(url, oneLine(url)),
    ...(artifact.description ? ["", oneLine(artifact.description)] : []),
    "",
    ...rows(style, [
      ["Updated", artifact.latestAt && `${relativeTime(artifact.latestAt)} by ${by(artifact.latestBy)}`],
      ["Created", artifact.createdAt && `${relativeTime(artifact.createdAt)} by ${by(artifact.createdBy)}`],
      ["Source", sourcePath],
      ["You can", can.length > 0 ? can.join(", ") : null],
      ["Links", workingShareLinks === undefined ? null : `${workingShareLinks} work again`],
      ["ID", artifact.artifactId],
    ]),
  ].join("\n");
}

const by = (actor: Artifact["createdBy"] | undefined): string => (actor === undefined ? "" : actorInWords(actor));

export function profileText(value: unknown, style: Style): string {
  const { username, name, email, emailVerified, plan, credential, entitlements, workspaces, ...rest } =
    value as Profile;
  const called = username ?? "No username yet: plinth profile set-username";
  const { seats, storageBytes } = entitlements;
  return [
    style.paint("bold", oneLine(name ? `${called} (${name})` : called)),
    `${oneLine(email)}${emailVerified ? "" : ", not verified"}`,
    "",
    ...rows(style, [
      [
        "Signed in by",
        `${{ session: "session", api_key: "API key", agent: "agent or login" }[credential.type]} ${credential.label}`,
      ],
      ["It can", credential.scopes.join(", ")],
      ["Plan", `${plan}: ${seats} seat${seats === 1 ? "" : "s"}, ${fileSize(storageBytes)} for files`],
      ["Workspaces", workspaces === undefined ? null : workspaces.map(({ slug }) => slug).join(", ")],
      ["ID", rest.userId],
    ]),
  ].join("\n");
}

const colours = { pass: "green", warn: "yellow", fail: "red" } as const;

type Check = NonNullable<Health["checks"]>["database"];

export function healthText(value: unknown, style: Style): string {
  const { status, version, uptimeSeconds, checks } = value as Health;
  const all: readonly (readonly [string, Check])[] = Object.entries(checks ?? {});
  const began = new Date(Date.now() - uptimeSeconds * 1000).toISOString();
  return [
    `${style.paint(colours[status], status)}  Plinth ${oneLine(version)}, started ${relativeTime(began)}`,
    ...all.map(
      ([name, check]) =>
        `${style.paint(colours[check.status], check.status)}  ${name}${check.detail ? `: ${oneLine(check.detail)}` : ""}`,
    ),
  ].join("\n");
}

type Row = readonly [name: string, text: string | null | undefined];

/** Those without a text are left out. */
function rows({ paint }: Style, all: readonly Row[]): string[] {
  const shown = all.flatMap(([name, text]) => (text ? [[name, text] as const] : []));
  const column = Math.max(...shown.map(([name]) => name.length));
  return shown.map(([name, text]) => `${paint("dim", name.padEnd(column))}  ${oneLine(text)}`);
}
