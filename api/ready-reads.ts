// Reads of what anyone may see, answered before the router. An answer that is made of one row in memory and of the URL is kept as
// bytes, and sent for as long as the process may answer with that row (docs/architecture/leases.md). The rate is counted, and the
// request is logged, as on the route.
import type { Instance } from "@plinth/domain/context";
import type { LeasedRow } from "@plinth/domain/access/load";
import type { NamedOperation } from "@plinth/domain/input";
import type { ArtifactRow } from "@plinth/domain/access/resource";
import { addressKey, rateLimitHeaders, rateRefusal } from "@plinth/domain/rate-limit";
import type { Answer } from "@plinth/domain/request/outcome";
import { budgetOf } from "@plinth/domain/request/identify";
import { viewedArtifact } from "@plinth/domain/request/views";
import { createObjectCache } from "@plinth/platform/caches";
import { createReadyAnswers, type ReadyAnswer } from "@plinth/platform/ready-answers";

import type { RequestMeta } from "./request-meta.ts";
import { plainAnswerOf } from "./respond.ts";
import { refusalResponse, surfaceOf, viewOf } from "./rest.ts";

/** A longer body is not kept: sending it takes longer than finding it. */
const longestBody = 256 * 1024;

interface Source {
  readonly op: NamedOperation;
  readonly leased: LeasedRow;
  /** What a page shows with the answer; null where none does. */
  readonly viewed: ArtifactRow | null;
}

interface ReadyReads {
  /** The answer to the request, the same as the route's; null where the route is to answer. */
  answer(request: Request, meta: RequestMeta): Response | Promise<Response> | null;
  /** Keeps what the route answered, where the next reader without a credential gets the same. */
  keep(request: Request, answer: Answer): void;
}

export function createReadyReads(instance: Instance): ReadyReads {
  const answers = createReadyAnswers("readyReads");
  const sources = createObjectCache<ReadyAnswer, Source>("readySources");

  return {
    answer(request, meta) {
      if (instance.publicRows === null || !isPlain(request)) return null;
      const ready = answers.find(pathOf(request));
      const source = ready === null ? undefined : sources.get(ready);
      if (ready === null || source === undefined) return null;
      const { op, leased, viewed } = source;
      if (!instance.publicRows.holds(leased)) return null;
      const { learned, address, requestId } = meta;
      const send = (headers: Readonly<Record<string, string>>) => {
        if (viewed !== null && viewOf(request).isPageView === true)
          instance.pageViews.record({ type: "anonymous", address }, viewed);
        return ready.answer(request, headers);
      };
      Object.assign(learned, {
        route: op.path,
        operation: op.name,
        surface: surfaceOf(noCredential, request),
        principal: "anonymous",
      });
      const counting = instance.limiter.take(budgetOf(op), addressKey(address));
      if (counting === null) return send({ "x-request-id": requestId });
      return counting.then((allowance) => {
        const headers = { "x-request-id": requestId, ...rateLimitHeaders(allowance) };
        const refusal = rateRefusal(allowance);
        if (refusal !== null) return refusalResponse(instance, op, refusal, { headers, meta });
        return send(headers);
      });
    },

    keep(request, answer) {
      const { operation: op, leased } = answer;
      if (leased === null || request.method !== "GET") return;
      const made = plainAnswerOf(answer);
      if (made === null || Number(made.headers.get("content-length")) > longestBody) return;
      sources.set(answers.keepPlain(pathOf(request), made), { op, leased, viewed: viewedArtifact(answer) });
    },
  };
}

const noCredential = { credential: { kind: "none" } } as const;

/** Headers by which two requests for one URL have different answers. */
const telling = ["authorization", "cookie", "x-share-token", "range"] as const;

/** Whether the answer depends on the URL alone. */
const isPlain = ({ method, headers, body }: Request): boolean =>
  method === "GET" && body === null && !telling.some((name) => headers.has(name));

/** The path with its query. */
const pathOf = ({ url }: Request): string => url.slice(url.indexOf("/", "https://".length));
