// `bun run stripe-fake [address of the instance]` runs the fake by hand, for work on billing. A number on its input lets so
// many days pass.
import { startStripe } from "./stripe-fake.ts";

const origin = process.argv[2] ?? "http://localhost:3000";
if (!URL.canParse(origin)) throw new Error(`not an address: ${origin}`);

const fake = await startStripe({ port: Number(process.env["STRIPE_FAKE_PORT"] ?? 0) });
fake.events.deliverTo(new URL("/api/billing/webhook", origin).href);
console.log(`Stripe fake at ${fake.url}: no money moves. Its events go to ${origin}. Start the instance with:\n`);
for (const [name, value] of Object.entries(fake.environment)) console.log(`export ${name}=${value}`);

for await (const line of console) {
  const days = Number(line);
  if (days > 0 && days <= 366) fake.advance(days);
  console.log(`The fake is at ${fake.now().toISOString()}.`);
}
