// The people who can see and edit an artifact, and the reasons. The API gives them in English; German is composed here
// from the same facts.
import type { Output } from "@plinth/contract/registry";
import type { Reach } from "@plinth/contract/schemas/artifact";
import { de } from "./formats.ts";
import { currentLanguage, type Language } from "./language.ts";

type Audience = Pick<Output<"access.audience">, "see" | "edit" | "reach">;

/** Who can see or edit an artifact, as a sentence without its full stop. */
export const audienceSentence = (
  { see, edit, reach }: Audience,
  what: "see" | "edit",
  language: Language = currentLanguage(),
): string => (language === "de" ? germanAudience(reach[what], what) : { see, edit }[what]);

function germanAudience({ anyone, people, morePeople, links, moreLinks }: Reach, what: "see" | "edit"): string {
  const [verb, link, linkDative] = {
    see: ["ansehen", "Link", "Links"] as const,
    edit: ["bearbeiten", "Bearbeitungslink", "Bearbeitungslinks"] as const,
  }[what];
  if (anyone && what === "see") return `Jeder mit der URL kann das ${verb}`;
  const counted = de.plural(people, { one: "# Person", other: "# Personen" });
  const subject = anyone ? "Jeder, der angemeldet ist," : morePeople ? `Mehr als ${counted}` : counted;
  const holders = moreLinks
    ? ` und jeder mit einem der vielen aktiven ${linkDative}`
    : links === 0
      ? ""
      : links === 1
        ? ` und jeder mit dem ${link}`
        : ` und jeder mit einem von ${links} ${linkDative}`;
  const isSingular = holders === "" && (anyone || (people === 1 && !morePeople));
  return `${subject}${holders} ${isSingular ? "kann" : "können"} das ${verb}`;
}

type Reason = Output<"access.explain">["because"][number];

const germanReasons: ReadonlyMap<string, string> = new Map([
  ["role", "Sie gehört zum Workspace"],
  ["creator", "Sie hat es erstellt"],
  ["public_view", "Jeder mit der URL kann es ansehen"],
  ["public_edit", "Jeder, der angemeldet ist, kann es bearbeiten"],
  ["allowlist", "Ihre Adresse steht auf der Zugriffsliste; sie meldet sich mit ihr bestätigt an"],
  ["share_link", "Sie hat einen Freigabelink"],
  ["unverified_email", "Ihre Adresse steht auf der Zugriffsliste, ist aber für ihr Konto nicht bestätigt"],
  ["not_listed", "Sie ist weder Mitglied des Workspace noch auf der Zugriffsliste, und es ist privat"],
]);

/** Why a person has access or not. */
export const reasonText = ({ rule, detail }: Reason, language: Language = currentLanguage()): string =>
  language === "de" ? (germanReasons.get(rule) ?? detail) : detail;
