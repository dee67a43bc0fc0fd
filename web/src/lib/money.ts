// Amounts of money as people read them. Knows nothing of plans.

import { currentLanguage } from "../messages/language.ts";

/** Where Stripe's smallest unit is not that of ISO 4217. */
const digitsAtStripe: Readonly<Record<string, number>> = { isk: 2, ugx: 2, mga: 0 };

/** An amount in the smallest unit of a currency (ISO 4217): "$12", "€9.50", "¥1,000"; `isExact` writes "$12.00" as well. */
export function money(amount: number, currency: string, isExact = false, locale: string = currentLanguage()): string {
  const code = currency.toUpperCase();
  const usual = new Intl.NumberFormat(locale, { style: "currency", currency: code }).resolvedOptions();
  const digits = digitsAtStripe[currency.toLowerCase()] ?? usual.maximumFractionDigits ?? 2;
  return new Intl.NumberFormat(locale, {
    style: "currency",
    currency: code,
    currencyDisplay: "narrowSymbol",
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    trailingZeroDisplay: isExact ? "auto" : "stripIfInteger",
  }).format(amount / 10 ** digits);
}
