import React, { useState } from "react";
import { motion } from "motion/react";
import { cva } from "class-variance-authority";
import { Check, Minus } from "lucide-react";
import { Accordion, AccordionContent, AccordionItem, AccordionTrigger } from "@/components/ui/accordion";
import { Switch } from "@/components/ui/switch";
import { cn } from "@/lib/utils";

const plan = cva("relative flex flex-col rounded-3xl p-8 ring-1 transition-shadow", {
  variants: {
    tone: {
      plain: "bg-white ring-slate-200 hover:shadow-lg",
      featured: "bg-slate-900 text-white ring-slate-900 shadow-2xl lg:-my-4",
    },
  },
  defaultVariants: { tone: "plain" },
});

const PLANS = [
  { name: "Starter", monthly: 0, blurb: "For a side project and a first look.", features: ["3 projects", "1 GB of storage", "Community support"], missing: ["Custom domain", "Audit log"] },
  { name: "Team", monthly: 29, blurb: "For small teams that ship each week.", features: ["Unlimited projects", "50 GB of storage", "Custom domain", "Email support"], missing: ["Audit log"], featured: true },
  { name: "Business", monthly: 99, blurb: "For companies with rules to follow.", features: ["Everything in Team", "1 TB of storage", "Single sign-on", "Audit log", "Support within 4 hours"], missing: [] },
];

const FAQ = [
  ["Can I change my plan later?", "Yes. Upgrades take effect at once, downgrades at the end of the period that you have paid for."],
  ["Do you offer a discount for schools?", "Schools and non-profits pay half. Write to us from your official address."],
  ["What happens to my data when I leave?", "You can export all of it for 30 days, then it is deleted for good."],
];

const price = (monthly, yearly) => (yearly ? Math.round(monthly * 0.8) : monthly);

export default function PricingPage() {
  const [yearly, setYearly] = useState(false);

  return (
    <div className="min-h-screen bg-gradient-to-b from-slate-50 to-white px-6 py-14">
      <div className="mx-auto max-w-6xl">
        <div className="text-center">
          <p className="text-sm font-semibold uppercase tracking-widest text-indigo-600">Pricing</p>
          <h1 className="mt-2 text-4xl font-extrabold tracking-tight text-slate-900 sm:text-5xl">One price, no surprises</h1>
          <div className="mt-6 inline-flex items-center gap-3 text-sm text-slate-600">
            <span className={cn(!yearly && "font-semibold text-slate-900")}>Monthly</span>
            <Switch checked={yearly} onCheckedChange={setYearly} aria-label="Pay yearly" />
            <span className={cn(yearly && "font-semibold text-slate-900")}>Yearly <span className="rounded-full bg-green-100 px-2 py-0.5 text-xs text-green-700">save 20 %</span></span>
          </div>
        </div>

        <div className="mt-14 grid gap-6 lg:grid-cols-3">
          {PLANS.map((p, i) => (
            <motion.div key={p.name} initial={{ opacity: 0, y: 20 }} animate={{ opacity: 1, y: 0 }} transition={{ delay: i * 0.1 }} className={plan({ tone: p.featured ? "featured" : "plain" })}>
              {p.featured && <span className="absolute right-6 top-6 rounded-full bg-indigo-500 px-3 py-1 text-xs font-medium">Most popular</span>}
              <h2 className="text-lg font-semibold">{p.name}</h2>
              <p className={cn("mt-1 text-sm", p.featured ? "text-slate-300" : "text-slate-500")}>{p.blurb}</p>
              <p className="mt-6 flex items-baseline gap-1">
                <motion.span key={yearly ? "y" : "m"} initial={{ opacity: 0, y: -8 }} animate={{ opacity: 1, y: 0 }} className="text-5xl font-bold tracking-tight">${price(p.monthly, yearly)}</motion.span>
                <span className={p.featured ? "text-slate-400" : "text-slate-500"}>/ month</span>
              </p>
              <button className={cn("mt-6 rounded-full py-2.5 text-sm font-semibold", p.featured ? "bg-indigo-500 text-white hover:bg-indigo-400" : "bg-slate-100 text-slate-900 hover:bg-slate-200")}>
                {p.monthly === 0 ? "Start for free" : `Choose ${p.name}`}
              </button>
              <ul className="mt-8 space-y-3 text-sm">
                {p.features.map((f) => (
                  <li key={f} className="flex items-center gap-3"><Check className={cn("h-4 w-4", p.featured ? "text-indigo-300" : "text-indigo-600")} />{f}</li>
                ))}
                {p.missing.map((f) => (
                  <li key={f} className="flex items-center gap-3 opacity-40"><Minus className="h-4 w-4" />{f}</li>
                ))}
              </ul>
            </motion.div>
          ))}
        </div>

        <section className="mx-auto mt-20 max-w-2xl">
          <h2 className="mb-4 text-center text-2xl font-bold text-slate-900">Questions</h2>
          <Accordion type="single" collapsible>
            {FAQ.map(([question, answer], i) => (
              <AccordionItem key={question} value={`q${i}`}>
                <AccordionTrigger>{question}</AccordionTrigger>
                <AccordionContent>{answer}</AccordionContent>
              </AccordionItem>
            ))}
          </Accordion>
        </section>
      </div>
    </div>
  );
}
