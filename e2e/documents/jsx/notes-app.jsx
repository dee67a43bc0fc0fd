import React, { useState, useEffect, useMemo, useRef } from 'react';
import { FileText, Pin, Plus, Search, Trash2 } from 'lucide-react';

const seed = [
  { id: 1, pinned: true, updated: Date.now() - 3600e3, body: '# Weekly review\n\nThings that went **well**:\n\n- Shipped the *new* editor\n- Two customers wrote in to say thanks\n\n> Slow is smooth, smooth is fast.\n\n## Next\n\n1. Write the migration guide\n2. Call `Jana` about the venue' },
  { id: 2, pinned: false, updated: Date.now() - 86400e3, body: '# Shopping\n\n- Oat milk\n- Coffee beans\n- Batteries' },
  { id: 3, pinned: false, updated: Date.now() - 3 * 86400e3, body: '# Ideas\n\nA small tool that turns *notes* into **pages**.' },
];

const escapeHtml = (s) => s.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

const inline = (s) => escapeHtml(s)
  .replace(/\*\*(.+?)\*\*/g, '<strong>$1</strong>')
  .replace(/\*(.+?)\*/g, '<em>$1</em>')
  .replace(/`(.+?)`/g, '<code class="rounded bg-amber-100 px-1 text-[0.9em]">$1</code>');

function toHtml(markdown) {
  const blocks = markdown.split(/\n{2,}/);
  return blocks.map((block) => {
    const lines = block.split('\n');
    const heading = block.match(/^(#{1,3})\s+(.*)/);
    if (heading) {
      const sizes = ['text-2xl', 'text-xl', 'text-lg'];
      return `<h${heading[1].length} class="${sizes[heading[1].length - 1]} font-bold mt-4 mb-2">${inline(heading[2])}</h${heading[1].length}>`;
    }
    if (lines.every((l) => /^[-*]\s/.test(l))) return `<ul class="list-disc pl-6 my-2">${lines.map((l) => `<li>${inline(l.slice(2))}</li>`).join('')}</ul>`;
    if (lines.every((l) => /^\d+\.\s/.test(l))) return `<ol class="list-decimal pl-6 my-2">${lines.map((l) => `<li>${inline(l.replace(/^\d+\.\s/, ''))}</li>`).join('')}</ol>`;
    if (block.startsWith('> ')) return `<blockquote class="border-l-4 border-amber-300 pl-4 italic text-stone-500 my-3">${inline(block.slice(2))}</blockquote>`;
    return `<p class="my-2">${inline(block)}</p>`;
  }).join('');
}

const titleOf = (note) => note.body.split('\n')[0].replace(/^#+\s*/, '') || 'Untitled';

export default function NotesApp() {
  const [notes, setNotes] = useState(() => JSON.parse(localStorage.getItem('notes') || 'null') ?? seed);
  const [activeId, setActiveId] = useState(notes[0]?.id);
  const [query, setQuery] = useState('');
  const [mode, setMode] = useState('preview');
  const editor = useRef(null);

  useEffect(() => localStorage.setItem('notes', JSON.stringify(notes)), [notes]);
  useEffect(() => { if (mode === 'edit') editor.current?.focus(); }, [mode, activeId]);

  const visible = useMemo(
    () => notes.filter((n) => n.body.toLowerCase().includes(query.toLowerCase())).sort((a, b) => b.pinned - a.pinned || b.updated - a.updated),
    [notes, query],
  );
  const active = notes.find((n) => n.id === activeId);
  const change = (patch) => setNotes(notes.map((n) => (n.id === activeId ? { ...n, ...patch, updated: Date.now() } : n)));
  const add = () => {
    const note = { id: Date.now(), pinned: false, updated: Date.now(), body: '# New note\n\n' };
    setNotes([note, ...notes]);
    setActiveId(note.id);
    setMode('edit');
  };
  const remove = () => {
    const rest = notes.filter((n) => n.id !== activeId);
    setNotes(rest);
    setActiveId(rest[0]?.id);
  };

  return (
    <div className="flex h-screen bg-stone-50 text-stone-800">
      <aside className="flex w-72 flex-col border-r border-stone-200 bg-stone-100">
        <div className="flex items-center gap-2 p-4">
          <div className="relative flex-1">
            <Search className="absolute left-2 top-2 h-4 w-4 text-stone-400" />
            <input value={query} onChange={(e) => setQuery(e.target.value)} placeholder="Search notes" className="w-full rounded-md border border-stone-300 bg-white py-1.5 pl-8 text-sm" />
          </div>
          <button onClick={add} aria-label="New note" className="rounded-md bg-amber-500 p-2 text-white hover:bg-amber-600"><Plus className="h-4 w-4" /></button>
        </div>
        <ul className="flex-1 overflow-y-auto">
          {visible.map((note) => (
            <li key={note.id}>
              <button onClick={() => setActiveId(note.id)} className={`w-full border-b border-stone-200 px-4 py-3 text-left ${note.id === activeId ? 'bg-amber-100' : 'hover:bg-stone-200/60'}`}>
                <span className="flex items-center gap-2 text-sm font-semibold">
                  {note.pinned ? <Pin className="h-3 w-3 text-amber-600" /> : <FileText className="h-3 w-3 text-stone-400" />}
                  {titleOf(note)}
                </span>
                <span className="mt-1 line-clamp-1 text-xs text-stone-500">{note.body.split('\n').slice(2).join(' ').slice(0, 60)}</span>
              </button>
            </li>
          ))}
        </ul>
        <p className="border-t border-stone-200 p-3 text-xs text-stone-500">{notes.length} notes</p>
      </aside>
      {active ? (
        <section className="flex flex-1 flex-col">
          <div className="flex items-center gap-2 border-b border-stone-200 px-6 py-3 text-sm">
            {['edit', 'preview'].map((m) => (
              <button key={m} onClick={() => setMode(m)} className={`rounded px-3 py-1 capitalize ${mode === m ? 'bg-stone-800 text-white' : 'text-stone-500'}`}>{m}</button>
            ))}
            <span className="ml-auto text-xs text-stone-400">{active.body.split(/\s+/).filter(Boolean).length} words</span>
            <button onClick={() => change({ pinned: !active.pinned })} aria-label="Pin"><Pin className={`h-4 w-4 ${active.pinned ? 'text-amber-600' : 'text-stone-400'}`} /></button>
            <button onClick={remove} aria-label="Delete"><Trash2 className="h-4 w-4 text-stone-400 hover:text-red-500" /></button>
          </div>
          {mode === 'edit' ? (
            <textarea ref={editor} value={active.body} onChange={(e) => change({ body: e.target.value })} className="flex-1 resize-none bg-transparent p-8 font-mono text-sm leading-relaxed outline-none" />
          ) : (
            <article className="flex-1 overflow-y-auto p-8 font-serif text-lg leading-relaxed" dangerouslySetInnerHTML={{ __html: toHtml(active.body) }} />
          )}
        </section>
      ) : (
        <p className="m-auto text-stone-400">No notes left. Write one!</p>
      )}
    </div>
  );
}
