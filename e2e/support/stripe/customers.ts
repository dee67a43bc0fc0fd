// Customers: who pays.
import type Stripe from "stripe";

import { missing } from "./failure.ts";
import { part, type State } from "./state.ts";
import { endSubscription, isOver } from "./subscriptions.ts";

type NewCustomer = Pick<Stripe.Customer, "email" | "name" | "metadata">;

export function createCustomer(state: State, wanted: NewCustomer): Stripe.Customer {
  const id = state.newId("cus");
  const invoicing = { balance: 0, invoice_prefix: id.slice(-8).toUpperCase(), next_invoice_sequence: 1 };
  const customer = part<Stripe.Customer>({ id, object: "customer", ...wanted, ...invoicing });
  state.customers.set(id, customer);
  state.emit("customer.created", customer);
  return customer;
}

/** As Stripe has them, also where they are deleted: what a customer had can be listed then. @throws StripeFailure */
export function findCustomer(state: State, id: string, param = "id"): Stripe.Customer | Stripe.DeletedCustomer {
  const customer = state.customers.get(id);
  if (customer === undefined) throw missing("customer", id, param);
  return customer;
}

/** One that can still be asked to pay. @throws StripeFailure */
export function requireCustomer(state: State, id: string): Stripe.Customer {
  const customer = findCustomer(state, id, "customer");
  if (customer.deleted === true) throw missing("customer", id, "customer");
  return customer;
}

interface Owned {
  readonly id: string;
  readonly customer: string | { readonly id: string } | null;
}

/** Whose a record is. */
export function customerOf({ id, customer }: Owned): string {
  if (customer === null) throw new Error(`${id} is nobody's`);
  return typeof customer === "string" ? customer : customer.id;
}

/** Only a deleted marker remains of a customer, and what they had has ended. */
export function deleteCustomer(state: State, id: string): void {
  for (const subscription of state.subscriptions.values())
    if (customerOf(subscription) === id && !isOver(subscription))
      endSubscription(state, subscription.id, "cancellation_requested");
  const customer = requireCustomer(state, id);
  state.customers.set(id, { id, object: "customer", deleted: true });
  state.emit("customer.deleted", customer);
}
