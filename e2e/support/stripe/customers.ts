// Customers: who pays.
import type Stripe from "stripe";

import { missing } from "./failure.ts";
import type { Setup } from "./setup.ts";

export interface NewCustomer {
  readonly email: string | undefined;
  readonly name: string | undefined;
  readonly metadata: Record<string, string>;
}

export function createCustomer(setup: Setup, { email, name, metadata }: NewCustomer): Stripe.Customer {
  const id = setup.newId("cus");
  const customer: Stripe.Customer = {
    id,
    object: "customer",
    address: null,
    balance: 0,
    created: setup.clock.now(),
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: null,
    discount: null,
    email: email ?? null,
    invoice_prefix: id.slice(-8).toUpperCase(),
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    livemode: false,
    metadata,
    name: name ?? null,
    next_invoice_sequence: 1,
    phone: null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: "none",
    test_clock: null,
  };
  setup.customers.set(id, customer);
  setup.emit({ type: "customer.created", data: { object: customer } });
  return customer;
}

/** As Stripe has them, also where they are deleted. @throws StripeFailure */
export function findCustomer(setup: Setup, id: string): Stripe.Customer | Stripe.DeletedCustomer {
  const customer = setup.customers.get(id);
  if (customer === undefined) throw missing("customer", id);
  return customer;
}

/** One that can still be asked to pay. @throws StripeFailure */
export function requireCustomer(setup: Setup, id: string, param = "customer"): Stripe.Customer {
  const customer = setup.customers.get(id);
  if (customer === undefined || customer.deleted === true) throw missing("customer", id, param);
  return customer;
}

export function changeCustomer(setup: Setup, id: string, changes: Partial<Stripe.Customer>): Stripe.Customer {
  const customer = { ...requireCustomer(setup, id), ...changes };
  setup.customers.set(id, customer);
  return customer;
}

/** Whose a record is. */
export function customerOf({ id, customer }: Owned): string {
  if (customer === null) throw new Error(`${id} is nobody's`);
  return typeof customer === "string" ? customer : customer.id;
}

interface Owned {
  readonly id: string;
  readonly customer: string | { readonly id: string } | null;
}

/** Only a deleted marker remains of a customer. Expects their subscriptions to have ended. */
export function removeCustomer(setup: Setup, id: string): Stripe.DeletedCustomer {
  const customer = requireCustomer(setup, id, "id");
  const deleted: Stripe.DeletedCustomer = { id, object: "customer", deleted: true };
  setup.customers.set(id, deleted);
  setup.emit({ type: "customer.deleted", data: { object: customer } });
  return deleted;
}

/** What a customer had can be listed after they are deleted. */
export function requireKnown({ customers }: Setup, customer: string | undefined): void {
  if (customer !== undefined && !customers.has(customer)) throw missing("customer", customer, "customer");
}
