// Changes a correct line in the ways that the client must refuse by itself: each is sent to the trap, which must
// receive no request. Also the dry run of the correct line, which sends nothing either. Reads only the catalogue.
import { failureForms, fails, once, succeeds, type Case, type Stage } from "./cases.ts";
import type { CatalogueCommand } from "./catalogue.ts";
import type { Line } from "./line.ts";

type Corruption = (words: readonly string[]) => readonly string[];

/** The usage errors of a command, and its dry run; `good` is a correct line to the trap. */
export function usageCases(command: CatalogueCommand, { standIns }: Stage, good: () => Promise<Line>): Case[] {
  const line = once(good);
  const corrupted = (name: string, corrupt: Corruption, code: "usage" | "confirmation_needed" = "usage"): Case =>
    fails(name, code, async () => {
      const { words, env, ...rest } = await line();
      return { ...rest, words: corrupt(words), env: { ...env, SERVICE_BASE_URL: standIns.trap } };
    });
  const adding =
    (...more: readonly string[]): Corruption =>
    (words) => [...words, ...more];
  const without =
    (flag: string): Corruption =>
    (words) =>
      words.filter((word) => word !== flag && !word.startsWith(`${flag}=`) && word !== flag.replace("--", "--no-"));
  const dried = async () => ({ ...(await line()), words: [...(await line()).words, "--dry-run"] });
  const dryRun = succeeds("dry run", dried, { prints: "preview" });
  const required = command.flags.filter(({ name, required: must }) => must && name !== command.confirm);
  const listed = command.flags.find(({ values, type }) => values !== null && type === "string");
  const others = [
    ...required.map(({ name }) => corrupted(`without ${name}`, without(name))),
    ...(listed
      ? [
          corrupted(`${listed.name} out of its values`, (words) => [
            ...without(listed.name)(words),
            `${listed.name}=surprise`,
          ]),
        ]
      : []),
    ...(command.confirm === null ? [] : [corrupted("not confirmed", without(command.confirm), "confirmation_needed")]),
    ...(command.args.length > 0 ? [] : [corrupted("a word too many", adding("surprise"))]),
    ...(command.check ? [] : [corrupted("--check where there is none", adding("--check"))]),
    corrupted("a flag without its value", adding("--base-url")),
    corrupted("a flag twice", adding("--quiet", "--quiet")),
    corrupted("a field that is not there", adding("--field", "surprise")),
    corrupted("an address that is none", adding("--base-url=surprise")),
  ];
  return [
    ...(command.dryRun && command.endpoint !== null ? [dryRun] : []),
    corrupted("unknown flag", adding("--surprise")),
    // The form does not matter for usage errors, so the forms alternate.
    ...others.map((one, place) => ({ ...one, forms: failureForms.slice(place % 2, (place % 2) + 1) })),
  ];
}
