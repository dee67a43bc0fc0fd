// The endpoint for Stripe's events: which requests are accepted, and that a refused request leaves no rows.
import { createHmac } from "node:crypto";
import { gzipSync } from "node:zlib";

import { afterAll, afterEach, beforeAll, expect, setSystemTime, test } from "bun:test";

import type { BillingConfig } from "@plinth/domain/config";
import type { Instance } from "@plinth/domain/context";
import { createInstance } from "@plinth/domain/instance";
import { emptyQueue } from "@plinth/domain/test/context";
import { uuidOf } from "@plinth/db/columns";

import { createService, type Service } from "./test/service.ts";

const path = "/api/billing/webhook";
const secret = "whsec_the_one_in_use";
const former = "whsec_the_one_before";
const customer = "cus_known";

const billing: BillingConfig = {
  secretKey: "sk_test_nobody_is_asked",
  webhookSecrets: [former, secret],
  prices: { pro: {}, team: {} },
  // No server listens there: accepting an event sends no request to Stripe.
  apiBase: "http://127.0.0.1:9",
};

let service: Service;
beforeAll(async () => {
  service = await createService({ billing });
  const { workspaceId } = await service.setup.person();
  await service.setup.db.run("INSERT INTO billing_account (workspace_id, customer_id) VALUES ($1, $2)", [
    uuidOf("wsp", workspaceId),
    customer,
  ]);
});
afterAll(() => service.close());
afterEach(() => void setSystemTime());

let made = 0;
const eventId = () => `evt_${String(++made).padStart(6, "0")}`;
const eventOf = (id: string, more: object = {}) => ({
  id,
  object: "event",
  type: "invoice.paid",
  data: { object: { object: "invoice", customer } },
  ...more,
});
const body = (id = eventId()): string => JSON.stringify(eventOf(id));

const seconds = () => Math.floor(Date.now() / 1000);
const mac = (sent: string | Uint8Array, at: number, key = secret) =>
  createHmac("sha256", key).update(`${at}.`).update(sent).digest("hex");
const signed = (sent: string | Uint8Array, at = seconds(), key = secret) => `t=${at},v1=${mac(sent, at, key)}`;

interface Sent {
  readonly method?: string;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  /** One header for each. */
  readonly signatures?: readonly string[];
  readonly headers?: Record<string, string>;
}

function send({ method = "POST", body, signatures = [], headers = {} }: Sent): Promise<Response> {
  const fields = new Headers({ "content-type": "application/json; charset=utf-8", ...headers });
  for (const signature of signatures) fields.append("stripe-signature", signature);
  const init = { method, headers: fields, ...(body !== undefined && { body }) };
  return service.api(new Request(`http://plinth.test${path}`, init), "192.0.2.1");
}

async function rows(): Promise<Record<string, number>> {
  const [counted] = await service.setup.db.run<Record<string, number>>(
    `SELECT (SELECT count(*)::int FROM stripe_event) AS events, (SELECT count(*)::int FROM outbox) AS jobs,
       (SELECT count(*)::int FROM billing_account) AS accounts, (SELECT count(*)::int FROM audit_event) AS audited`,
  );
  return counted ?? {};
}

async function refused(sent: Sent, status: number, code: string): Promise<Record<string, unknown>> {
  const before = await rows();
  const response = await send(sent);
  const problem = (await response.json()) as Record<string, unknown>;
  expect([response.status, problem["code"]]).toEqual([status, code]);
  expect(await rows()).toEqual(before);
  return problem;
}

/** Asserts success; `took` is the number of new events. */
async function accepted(sent: Sent, took = 1): Promise<void> {
  const before = await rows();
  const response = await send(sent);
  expect([response.status, await response.json()]).toEqual([200, { received: true }]);
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(await rows()).toEqual({
    ...before,
    events: (before["events"] ?? 0) + took,
    jobs: (before["jobs"] ?? 0) + took,
  });
}

/** A signature over `sent`, and `sent`. */
const whole = (sent: string): Sent => ({ body: sent, signatures: [signed(sent)] });

test("what the secret in use signed is taken, and what the one before signed", async () => {
  await accepted(whole(body()));
  const sent = body();
  await accepted({ body: sent, signatures: [signed(sent, seconds(), former)] });
});

test("an event is kept by its name alone, and becomes a job of the same transaction", async () => {
  const id = eventId();
  const sent = JSON.stringify(
    eventOf(id, { data: { object: { object: "charge", customer, receipt_email: "a@b.c" } } }),
  );
  await accepted(whole(sent));
  const { db } = service.setup;
  const kept = await db.run("SELECT event_id, type, customer_id, applied_at FROM stripe_event WHERE event_id = $1", [
    id,
  ]);
  expect([...kept]).toEqual([{ event_id: id, type: "invoice.paid", customer_id: customer, applied_at: null }]);
  const jobs = await db.run("SELECT payload FROM outbox WHERE kind = 'stripe-event' AND payload ->> 'eventId' = $1", [
    id,
  ]);
  expect([...jobs]).toEqual([{ payload: { eventId: id } }]);
});

test("what no secret of ours signed is refused", async () => {
  const sent = body();
  const problem = await refused(
    { body: sent, signatures: [signed(sent, seconds(), "whsec_of_somebody_else")] },
    400,
    "invalid_request",
  );
  expect(problem["errors"]).toEqual([
    { path: "stripe-signature", message: "must sign this body with a secret of this instance, now" },
  ]);
  expect(JSON.stringify(problem)).not.toContain("whsec_");
});

test("a body that was changed after it was signed is refused, be it by a byte", async () => {
  const sent = body();
  const spaced = JSON.stringify(JSON.parse(sent), null, 2);
  const bytes = new TextEncoder().encode(sent);
  const marked = new Uint8Array([0xef, 0xbb, 0xbf, ...bytes]);
  const utf16 = new Uint8Array(Buffer.from(sent, "utf16le"));
  const changed: Record<string, string | Uint8Array<ArrayBuffer>> = {
    "another customer": sent.replace(customer, "cus_other"),
    "written anew": spaced,
    "an escape for a character": sent.replace("invoice.paid", "invoice\\u002epaid"),
    "a line feed more": `${sent}\n`,
    "a space before": ` ${sent}`,
    "a byte order mark": marked,
    "cut off": sent.slice(0, -1),
    nothing: "",
    "UTF-16": utf16,
  };
  for (const [name, body] of Object.entries(changed)) {
    const before = await rows();
    const response = await send({ body, signatures: [signed(sent)] });
    expect([name, response.status]).toEqual([name, 400]);
    expect(await rows()).toEqual(before);
  }
});

test("the same is taken where it is signed as it is sent", async () => {
  await accepted(whole(JSON.stringify(eventOf(eventId()), null, 2)));
  await accepted(whole(`${body()}\n`));
});

test("a timestamp up to five minutes off is accepted, and not a second more", async () => {
  setSystemTime(new Date(1_795_000_000_900));
  for (const apart of [0, -299, -300, 299, 300]) {
    const sent = body();
    await accepted({ body: sent, signatures: [signed(sent, seconds() + apart)] });
  }
  for (const apart of [-301, -86_400, 301, 86_400, 1_000_000_000_000 - seconds()]) {
    const sent = body();
    await refused({ body: sent, signatures: [signed(sent, seconds() + apart)] }, 400, "invalid_request");
  }
});

test("a signature that is missing, or is none, is refused", async () => {
  const sent = body();
  await refused({ body: sent }, 400, "invalid_request");
  const at = seconds();
  const v1 = `v1=${mac(sent, at)}`;
  const malformed = [
    "",
    " ",
    "t",
    `t=${at}`,
    v1,
    `t=,${v1}`,
    `t=soon,${v1}`,
    `t=-1,${v1}`,
    `t=${at}.5,${v1}`,
    `t=0x6ace0000,${v1}`,
    `t=1e10,${v1}`,
    `t=${"9".repeat(400)},${v1}`,
    `${v1},t=${at}`,
    `t=${at},v1=`,
    `t=${at},v1`,
    `t=${at};${v1}`,
    `t=${at},${v1.toUpperCase()}`,
    `t=${at},${v1.slice(0, -1)}`,
    `t=${at},${v1}0`,
    `t=${at},v1=${"0".repeat(64)}`,
    `Bearer ${mac(sent, at)}`,
    `t=${at},${v1},${"v1=0,".repeat(500)}`,
  ];
  for (const signature of malformed) {
    const before = await rows();
    const { status } = await send({ body: sent, signatures: [signature] });
    expect([signature, status]).toEqual([signature, 400]);
    expect(await rows()).toEqual(before);
  }
});

test("a scheme other than v1 signs nothing", async () => {
  const sent = body();
  const at = seconds();
  for (const scheme of ["v0", "v2", "V1", "v11"])
    await refused({ body: sent, signatures: [`t=${at},${scheme}=${mac(sent, at)}`] }, 400, "invalid_request");
  await accepted({ body: sent, signatures: [`t=${at},v1=${mac(sent, at)},v0=${mac(sent, at, "x")}`] });
});

test("several signatures of one header are tried in turn, as while a secret is replaced", async () => {
  const sent = body();
  const at = seconds();
  const others = Array.from({ length: 8 }, (_, n) => `v1=${mac(sent, at, `whsec_${n}`)}`);
  await refused({ body: sent, signatures: [[`t=${at}`, ...others].join(",")] }, 400, "invalid_request");
  await accepted({ body: sent, signatures: [[`t=${at}`, ...others, `v1=${mac(sent, at)}`].join(",")] });
});

test("two headers are refused, whichever is good, and so are two times in one", async () => {
  const sent = body();
  const [good, bad] = [signed(sent), signed(sent, seconds(), "whsec_other")];
  for (const signatures of [
    [good, good],
    [good, bad],
    [bad, good],
  ])
    await refused({ body: sent, signatures }, 400, "invalid_request");
  // A time in the future, hidden behind the current one.
  const ahead = seconds() + 9000;
  await refused(
    { body: sent, signatures: [`t=${seconds()},v1=${mac(sent, ahead)},t=${ahead}`] },
    400,
    "invalid_request",
  );
});

test("a body of a megabyte is refused before it is looked at, with its length said and without", async () => {
  const sent = JSON.stringify(eventOf(eventId(), { padding: "x".repeat(1024 * 1024) }));
  await refused(whole(sent), 413, "content_too_large");
  const before = await rows();
  const stream = new Blob([sent]).stream();
  const request = new Request(`http://plinth.test${path}`, {
    method: "POST",
    headers: { "stripe-signature": signed(sent) },
    body: stream,
  });
  expect((await service.api(request, "192.0.2.1")).status).toBe(413);
  expect(await rows()).toEqual(before);
});

test("a body just within the bound is taken, and one byte more is not", async () => {
  const most = 512 * 1024;
  for (const [length, isTaken] of [
    [most, true],
    [most + 1, false],
  ] as const) {
    const empty = JSON.stringify(eventOf(eventId(), { padding: "" }));
    const sent = empty.replace('"padding":""', `"padding":"${"x".repeat(length - empty.length)}"`);
    expect(sent).toHaveLength(length);
    if (isTaken) await accepted(whole(sent));
    else await refused(whole(sent), 413, "content_too_large");
  }
});

test("what is compressed or no UTF-8 is refused, though it be signed", async () => {
  const sent = body();
  const zipped = new Uint8Array(gzipSync(sent));
  for (const headers of [{ "content-encoding": "gzip" }, { "content-encoding": "br" }]) {
    await refused({ body: zipped, signatures: [signed(zipped)], headers }, 400, "invalid_request");
    await refused({ ...whole(sent), headers }, 400, "invalid_request");
  }
  for (const broken of [[0xff, 0xfe], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0xaf]]) {
    const bytes = new Uint8Array([...new TextEncoder().encode(sent), ...broken]);
    await refused({ body: bytes, signatures: [signed(bytes)] }, 400, "invalid_request");
  }
});

test("what is signed and no event is refused", async () => {
  const deep = `${"[".repeat(5000)}${"]".repeat(5000)}`;
  const id = eventId();
  const no: readonly unknown[] = [
    null,
    1,
    "evt",
    [],
    {},
    { object: "v2.core.event", id: "evt_1", type: "v1.billing.meter.no_meter_found" },
    eventOf(id, { data: undefined }),
    eventOf(id, { data: null }),
    eventOf(id, { data: { object: null } }),
    eventOf(id, { data: { object: "in_1" } }),
    eventOf(id, { data: [] }),
    eventOf(id, { id: undefined }),
    eventOf(id, { id: 7 }),
    eventOf(id, { type: undefined }),
    eventOf(id, { type: { toString: "invoice.paid" } }),
    eventOf(id, { type: `invoice.${"x".repeat(10_000)}` }),
    eventOf(id, { type: "invoice.paid\u0000" }),
    ...["", "evt_", "in_1", "evt_1\u0000", "evt_1'; --", `evt_${"x".repeat(5000)}`, "evt_ünd"].map((one) =>
      eventOf(one),
    ),
  ];
  for (const sent of ["", "{", "not json", "\u0000", deep, "{}{}", ...no.map((one) => JSON.stringify(one))])
    await refused(whole(sent), 400, "invalid_request");
});

test("an event about no customer or an unknown one is accepted, and changes nothing", async () => {
  const about = (object: object) => whole(JSON.stringify(eventOf(eventId(), { data: { object } })));
  for (const object of [
    {},
    { object: "price", id: "price_1" },
    { object: "dispute", charge: "ch_1" },
    { object: "customer" },
    { object: "customer", id: 7 },
    { object: "customer", id: "cus_unknown" },
    { object: "customer", id: `cus_${"x".repeat(9000)}` },
    { object: "invoice", customer: null },
    { object: "invoice", customer: "cus_unknown" },
    { object: "invoice", customer: "cus_known\u0000" },
    { object: "invoice", customer: "' OR true --" },
    { object: "invoice", customer: [customer] },
    { object: "invoice", customer: { id: ["cus_known"] } },
    { object: "customer", id: "cus_unknown", customer },
    { object: "invoice", id: customer },
  ])
    await accepted(about(object), 0);
  await accepted(about({ object: "invoice", customer: { object: "customer", id: customer } }));
  await accepted(about({ object: "customer", id: customer }));
});

test("an event that was taken is not taken again, fifty times at once or after it was applied", async () => {
  const sent = body("evt_at_once");
  const before = await rows();
  const answers = await Promise.all(Array.from({ length: 50 }, () => send(whole(sent))));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200));
  expect(await rows()).toEqual({ ...before, events: (before["events"] ?? 0) + 1, jobs: (before["jobs"] ?? 0) + 1 });
  await service.setup.db.run("UPDATE stripe_event SET applied_at = now() WHERE event_id = 'evt_at_once'");
  await accepted(whole(sent), 0);
});

test("an event takes three statements, and one about an unknown customer takes one", async () => {
  const { setup } = service;
  expect(await setup.statementsOf(() => send(whole(body())))).toBe(3);
  const other = JSON.stringify(eventOf(eventId(), { data: { object: { object: "invoice", customer: "cus_other" } } }));
  expect(await setup.statementsOf(() => send(whole(other)))).toBe(1);
  expect(await setup.statementsOf(() => send({ body: other, signatures: ["t=1,v1=0"] }))).toBe(0);
});

test("the address answers nothing but POST", async () => {
  for (const method of ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
    const before = await rows();
    const sent = body();
    const isBare = method === "GET" || method === "HEAD";
    const { status } = await send({ method, signatures: [signed(sent)], ...(!isBare && { body: sent }) });
    expect([method, status]).toEqual([method, 404]);
    expect(await rows()).toEqual(before);
  }
});

test("an instance that sells nothing, or has no secret, takes no event", async () => {
  const { setup, askOf } = service;
  const over = (changed: BillingConfig | null): Instance =>
    createInstance({ config: { ...setup.instance.config, billing: changed }, db: setup.db, queue: emptyQueue });
  for (const instance of [over(null), over({ ...billing, webhookSecrets: [] })]) {
    const before = await rows();
    const sent = body();
    const headers = { "stripe-signature": signed(sent) };
    const response = await askOf(instance)("POST", path, { body: sent, headers });
    expect([response.status, (await response.json()) as object]).toEqual([
      503,
      expect.objectContaining({ code: "billing_unavailable" }),
    ]);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await rows()).toEqual(before);
    instance.watching.close();
  }
});

test("a session, a key or another site's headers do not change which events are accepted", async () => {
  const { token } = await service.setup.person();
  const sent = body();
  const headers = { authorization: `Bearer ${token}`, origin: "https://evil.example", "sec-fetch-site": "cross-site" };
  await refused({ body: sent, headers }, 400, "invalid_request");
  await accepted({ ...whole(sent), headers });
});
