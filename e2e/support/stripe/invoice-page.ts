// The page of an invoice: what was billed, and whether it was paid.
import { requireInvoice } from "./invoices.ts";
import { day, html, money, type Html } from "./pages.ts";
import type { World } from "./world.ts";

export function invoicePage(world: World, id: string): Html {
  const { number, status, created, currency, lines, total, amount_due: due } = requireInvoice(world, id);
  const rows = lines.data.map(
    ({ description, amount }) =>
      html`<tr>
        <td>${description ?? ""}</td>
        <td>${money(amount, currency)}</td>
      </tr>`,
  );
  return html`<h1>Invoice ${number ?? "(draft)"}</h1>
    <p class="muted">${day(created)} · ${status ?? "draft"}</p>
    <div class="card">
      <table>
        ${rows}
        <tr>
          <th>Total</th>
          <th>${money(total, currency)}</th>
        </tr>
        <tr>
          <th>To be paid</th>
          <th>${money(due, currency)}</th>
        </tr>
      </table>
    </div>`;
}
