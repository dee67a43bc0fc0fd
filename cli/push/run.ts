// What `push` does once its line is read: what is published, what is only shown, and what is watched.
import type { Context } from "../command/context.ts";
import type { Values } from "../flags/flags.ts";
import { previewOf, previewText, type Preview } from "../output/preview.ts";
import type { Result } from "../output/print.ts";
import { publishAll, summary } from "./publish-all.ts";
import type { Push } from "./publish.ts";
import { readPushes } from "./request.ts";
import { openFirst, resultOfMany, resultOfOne } from "./result.ts";
import { guardSecrets } from "./secrets.ts";

/** Publishes up to `atOnce` files at the same time. @throws Failure, ProblemError */
export async function push(context: Context, values: Values, atOnce: number): Promise<Result> {
  if (values.flags["watch"] === true) return (await import("./watch.ts")).watchAndPublish(context, values, atOnce);
  const { pushes, asList } = await readPushes(values, context.reader, context.io);
  guardSecrets(pushes, values, context.progress);
  if (context.settings.dryRun) return previewAll(pushes, asList, context);
  const outcomes = await publishAll(pushes, context, atOnce, asList);
  if (asList) context.progress(summary(outcomes));
  const result = asList ? resultOfMany(pushes, outcomes) : resultOfOne(outcomes[0] ?? null);
  if (values.flags["open"] === true) await openFirst(outcomes, context);
  return result;
}

async function previewAll(pushes: readonly Push[], asList: boolean, { requestBuilder }: Context): Promise<Result> {
  const previews: Preview[] = [];
  for (const { body } of pushes) previews.push(await previewOf(requestBuilder.request("artifact.create", body)));
  return {
    value: !asList ? previews[0] : { dryRun: true, requests: previews.map(({ request }) => request) },
    items: previews,
    text: ({ paint }) => previews.map((preview) => previewText(preview, paint)).join("\n\n"),
  };
}
