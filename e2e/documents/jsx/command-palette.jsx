import { useCallback, useDeferredValue, useEffect, useId, useMemo, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { AnimatePresence, motion } from "motion/react";
import { Command as CommandIcon, CornerDownLeft, FilePlus, Home, Moon, Palette, Search, Settings, Share2, Sun, Users, Mail, Rocket } from "lucide-react";

const GROUPS = [
  { heading: "Navigation", items: [
    { id: "home", label: "Go to home", icon: Home, keys: ["G", "H"] },
    { id: "team", label: "Go to the team", icon: Users, keys: ["G", "T"] },
    { id: "inbox", label: "Open the inbox", icon: Mail, keys: ["G", "I"] },
  ] },
  { heading: "Actions", items: [
    { id: "new", label: "Create a document", icon: FilePlus, keys: ["C"] },
    { id: "share", label: "Share this page", icon: Share2, keys: ["S"] },
    { id: "deploy", label: "Deploy to production", icon: Rocket, keys: ["D"] },
  ] },
  { heading: "Preferences", items: [
    { id: "theme", label: "Toggle the theme", icon: Moon, keys: ["T"] },
    { id: "accent", label: "Change the accent colour", icon: Palette, keys: [] },
    { id: "settings", label: "Open settings", icon: Settings, keys: [","] },
  ] },
];

/** Fuzzy match: every letter of the query in order; the tighter together, the better. */
function score(query, label) {
  if (!query) return 1;
  let at = -1, total = 0;
  for (const letter of query.toLowerCase()) {
    const next = label.toLowerCase().indexOf(letter, at + 1);
    if (next === -1) return 0;
    total += 1 / (next - at);
    at = next;
  }
  return total / query.length;
}

function Kbd({ children, dark }) {
  return <kbd className={`rounded border px-1.5 py-0.5 font-sans text-[10px] ${dark ? "border-white/15 bg-white/5 text-white/60" : "border-gray-200 bg-gray-50 text-gray-500"}`}>{children}</kbd>;
}

function Palette_({ dark, onClose, onRun }) {
  const [query, setQuery] = useState("");
  const [cursor, setCursor] = useState(0);
  const deferred = useDeferredValue(query);
  const inputRef = useRef(null);
  const listId = useId();

  const groups = useMemo(() => GROUPS
    .map((g) => ({ ...g, items: g.items.map((i) => ({ ...i, score: score(deferred, i.label) })).filter((i) => i.score > 0.15).sort((a, b) => b.score - a.score) }))
    .filter((g) => g.items.length > 0), [deferred]);
  const flat = groups.flatMap((g) => g.items);

  useEffect(() => setCursor(0), [deferred]);
  useEffect(() => inputRef.current?.focus(), []);

  const onKeyDown = (event) => {
    if (event.key === "ArrowDown") { event.preventDefault(); setCursor((c) => (c + 1) % flat.length); }
    if (event.key === "ArrowUp") { event.preventDefault(); setCursor((c) => (c - 1 + flat.length) % flat.length); }
    if (event.key === "Enter" && flat[cursor]) onRun(flat[cursor]);
    if (event.key === "Escape") onClose();
  };

  return createPortal(
    <motion.div className="fixed inset-0 z-50 flex items-start justify-center bg-black/40 pt-[15vh] backdrop-blur-sm" initial={{ opacity: 0 }} animate={{ opacity: 1 }} exit={{ opacity: 0 }} onClick={onClose}>
      <motion.div role="dialog" aria-label="Command palette" initial={{ scale: 0.96, y: -8 }} animate={{ scale: 1, y: 0 }} exit={{ scale: 0.96 }} transition={{ type: "spring", duration: 0.25 }}
        onClick={(e) => e.stopPropagation()} onKeyDown={onKeyDown}
        className={`w-full max-w-lg overflow-hidden rounded-2xl border shadow-2xl ${dark ? "border-white/10 bg-gray-900 text-white" : "border-gray-200 bg-white text-gray-900"}`}>
        <div className={`flex items-center gap-3 border-b px-4 ${dark ? "border-white/10" : "border-gray-100"}`}>
          <Search className="h-4 w-4 opacity-40" />
          <input ref={inputRef} role="combobox" aria-expanded="true" aria-controls={listId} value={query} onChange={(e) => setQuery(e.target.value)} placeholder="Type a command or search…" className="h-12 flex-1 bg-transparent text-sm outline-none" />
          <Kbd dark={dark}>esc</Kbd>
        </div>
        <div id={listId} role="listbox" className="max-h-80 overflow-y-auto p-2">
          {flat.length === 0 && <p className="p-8 text-center text-sm opacity-50">No results for “{query}”.</p>}
          {groups.map((group) => (
            <div key={group.heading} className="mb-2">
              <p className="px-2 py-1 text-xs font-medium opacity-40">{group.heading}</p>
              {group.items.map((item) => {
                const selected = flat[cursor]?.id === item.id;
                return (
                  <div key={item.id} role="option" aria-selected={selected} onMouseEnter={() => setCursor(flat.findIndex((f) => f.id === item.id))} onClick={() => onRun(item)}
                    className={`flex cursor-pointer items-center gap-3 rounded-lg px-3 py-2 text-sm ${selected ? "bg-indigo-500 text-white" : ""}`}>
                    <item.icon className="h-4 w-4" />{item.label}
                    <span className="ml-auto flex gap-1">{selected ? <CornerDownLeft className="h-3.5 w-3.5" /> : item.keys.map((k) => <Kbd key={k} dark={dark}>{k}</Kbd>)}</span>
                  </div>
                );
              })}
            </div>
          ))}
        </div>
      </motion.div>
    </motion.div>,
    document.body,
  );
}

export default function CommandPaletteDemo() {
  const [open, setOpen] = useState(false);
  const [dark, setDark] = useState(() => window.matchMedia("(prefers-color-scheme: dark)").matches);
  const [log, setLog] = useState([]);

  useEffect(() => {
    const onKey = (e) => { if (e.key === "k" && (e.metaKey || e.ctrlKey)) { e.preventDefault(); setOpen((o) => !o); } };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);

  const run = useCallback((item) => {
    if (item.id === "theme") setDark((d) => !d);
    setLog((l) => [item.label, ...l].slice(0, 5));
    setOpen(false);
  }, []);

  return (
    <div className={`min-h-screen transition-colors ${dark ? "bg-gray-950 text-white" : "bg-gray-50 text-gray-900"}`}>
      <header className="flex items-center justify-between px-8 py-5">
        <span className="flex items-center gap-2 font-semibold"><CommandIcon className="h-5 w-5 text-indigo-500" /> Orbit</span>
        <button aria-label="Theme" onClick={() => setDark(!dark)} className="rounded-full p-2 hover:bg-black/5">{dark ? <Sun className="h-5 w-5" /> : <Moon className="h-5 w-5" />}</button>
      </header>
      <main className="mx-auto max-w-2xl px-8 pt-24 text-center">
        <h1 className="text-4xl font-bold tracking-tight">Everything, one key away</h1>
        <button onClick={() => setOpen(true)} className={`mt-8 inline-flex w-80 items-center gap-3 rounded-xl border px-4 py-3 text-sm shadow-sm ${dark ? "border-white/10 bg-white/5" : "border-gray-200 bg-white"}`}>
          <Search className="h-4 w-4 opacity-40" /><span className="opacity-50">Search commands…</span>
          <span className="ml-auto flex gap-1"><Kbd dark={dark}>Ctrl</Kbd><Kbd dark={dark}>K</Kbd></span>
        </button>
        <ul className="mt-10 space-y-1 text-sm opacity-70">{log.map((entry, i) => <li key={i}>Ran: {entry}</li>)}</ul>
      </main>
      <AnimatePresence>{open && <Palette_ dark={dark} onClose={() => setOpen(false)} onRun={run} />}</AnimatePresence>
    </div>
  );
}
