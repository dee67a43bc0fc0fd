import { useState, useEffect } from 'react';
import { Plus, X, GripVertical, Flag, MessageSquare } from 'lucide-react';
import clsx from 'clsx';

const STORAGE_KEY = 'kanban-board-v1';

const initialColumns = {
  backlog: { title: 'Backlog', color: 'bg-slate-400', cards: [
    { id: 'c1', title: 'Research competitor onboarding', tag: 'Research', priority: 'low', comments: 2 },
    { id: 'c2', title: 'Draft the Q1 roadmap', tag: 'Planning', priority: 'high', comments: 5 },
    { id: 'c3', title: 'Collect feedback from beta users', tag: 'Research', priority: 'medium', comments: 0 },
  ] },
  doing: { title: 'In progress', color: 'bg-blue-500', cards: [
    { id: 'c4', title: 'Design the empty states', tag: 'Design', priority: 'medium', comments: 3 },
    { id: 'c5', title: 'Fix flaky checkout test', tag: 'Bug', priority: 'high', comments: 8 },
  ] },
  review: { title: 'In review', color: 'bg-amber-500', cards: [
    { id: 'c6', title: 'Dark mode for the settings', tag: 'Feature', priority: 'low', comments: 1 },
  ] },
  done: { title: 'Done', color: 'bg-emerald-500', cards: [
    { id: 'c7', title: 'Upgrade to React 19', tag: 'Chore', priority: 'low', comments: 4 },
    { id: 'c8', title: 'Import from CSV', tag: 'Feature', priority: 'medium', comments: 2 },
  ] },
};

const tagStyles = {
  Research: 'bg-purple-100 text-purple-700',
  Planning: 'bg-sky-100 text-sky-700',
  Design: 'bg-pink-100 text-pink-700',
  Bug: 'bg-red-100 text-red-700',
  Feature: 'bg-green-100 text-green-700',
  Chore: 'bg-gray-100 text-gray-700',
};

function Card({ card, onDragStart, onRemove }) {
  return (
    <div
      draggable
      onDragStart={onDragStart}
      className="group cursor-grab rounded-lg border border-slate-200 bg-white p-3 shadow-sm transition hover:shadow-md active:cursor-grabbing"
    >
      <div className="flex items-start gap-2">
        <GripVertical className="mt-0.5 h-4 w-4 shrink-0 text-slate-300" />
        <p className="flex-1 text-sm font-medium text-slate-800">{card.title}</p>
        <button onClick={onRemove} aria-label={`Remove ${card.title}`} className="opacity-0 transition group-hover:opacity-100">
          <X className="h-4 w-4 text-slate-400 hover:text-red-500" />
        </button>
      </div>
      <div className="mt-3 flex items-center justify-between pl-6">
        <span className={clsx('rounded-full px-2 py-0.5 text-xs font-medium', tagStyles[card.tag])}>{card.tag}</span>
        <span className="flex items-center gap-2 text-xs text-slate-400">
          {card.comments > 0 && <span className="flex items-center gap-1"><MessageSquare className="h-3 w-3" />{card.comments}</span>}
          <Flag className={clsx('h-3.5 w-3.5', {
            'text-red-500': card.priority === 'high',
            'text-amber-500': card.priority === 'medium',
            'text-slate-300': card.priority === 'low',
          })} />
        </span>
      </div>
    </div>
  );
}

const KanbanBoard = () => {
  const [columns, setColumns] = useState(() => {
    const saved = localStorage.getItem(STORAGE_KEY);
    return saved ? JSON.parse(saved) : initialColumns;
  });
  const [dragged, setDragged] = useState(null);
  const [over, setOver] = useState(null);
  const [adding, setAdding] = useState(null);
  const [draft, setDraft] = useState('');

  useEffect(() => {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(columns));
  }, [columns]);

  const moveCard = (to) => {
    if (!dragged || dragged.from === to) return;
    setColumns((prev) => ({
      ...prev,
      [dragged.from]: { ...prev[dragged.from], cards: prev[dragged.from].cards.filter((c) => c.id !== dragged.card.id) },
      [to]: { ...prev[to], cards: [...prev[to].cards, dragged.card] },
    }));
  };

  const addCard = (columnId) => {
    if (!draft.trim()) return;
    const card = { id: crypto.randomUUID(), title: draft.trim(), tag: 'Feature', priority: 'medium', comments: 0 };
    setColumns((prev) => ({ ...prev, [columnId]: { ...prev[columnId], cards: [...prev[columnId].cards, card] } }));
    setDraft('');
    setAdding(null);
  };

  const total = Object.values(columns).reduce((n, c) => n + c.cards.length, 0);
  const done = columns.done.cards.length;

  return (
    <div className="min-h-screen bg-gradient-to-br from-indigo-50 via-white to-sky-50 p-8">
      <header className="mb-6 flex items-end justify-between">
        <div>
          <h1 className="text-2xl font-bold text-slate-900">Product board</h1>
          <p className="text-sm text-slate-500">{total} cards, {done} of them done</p>
        </div>
        <div className="w-56">
          <div className="h-2 overflow-hidden rounded-full bg-slate-200">
            <div className="h-full rounded-full bg-emerald-500 transition-all" style={{ width: `${(done / total) * 100}%` }} />
          </div>
        </div>
      </header>
      <div className="grid grid-cols-4 gap-4">
        {Object.entries(columns).map(([id, column]) => (
          <section
            key={id}
            onDragOver={(e) => { e.preventDefault(); setOver(id); }}
            onDragLeave={() => setOver(null)}
            onDrop={() => { moveCard(id); setDragged(null); setOver(null); }}
            className={clsx('rounded-xl bg-slate-100/80 p-3 transition', over === id && 'ring-2 ring-indigo-400')}
          >
            <h2 className="mb-3 flex items-center gap-2 px-1 text-sm font-semibold text-slate-700">
              <span className={clsx('h-2 w-2 rounded-full', column.color)} />
              {column.title}
              <span className="ml-auto rounded bg-white px-1.5 text-xs text-slate-500">{column.cards.length}</span>
            </h2>
            <div className="space-y-2">
              {column.cards.map((card) => (
                <Card
                  key={card.id}
                  card={card}
                  onDragStart={() => setDragged({ card, from: id })}
                  onRemove={() => setColumns((prev) => ({ ...prev, [id]: { ...prev[id], cards: prev[id].cards.filter((c) => c.id !== card.id) } }))}
                />
              ))}
            </div>
            {adding === id ? (
              <div className="mt-2 rounded-lg bg-white p-2 shadow-sm">
                <textarea autoFocus value={draft} onChange={(e) => setDraft(e.target.value)} placeholder="What needs to be done?" rows={2}
                  className="w-full resize-none rounded border border-slate-200 p-2 text-sm outline-none focus:border-indigo-400" />
                <div className="mt-1 flex gap-2">
                  <button onClick={() => addCard(id)} className="rounded bg-indigo-600 px-3 py-1 text-xs font-medium text-white hover:bg-indigo-700">Add card</button>
                  <button onClick={() => setAdding(null)} className="px-2 text-xs text-slate-500">Cancel</button>
                </div>
              </div>
            ) : (
              <button onClick={() => setAdding(id)} className="mt-2 flex w-full items-center gap-1 rounded-lg px-2 py-1.5 text-sm text-slate-500 hover:bg-white">
                <Plus className="h-4 w-4" /> Add to {column.title.toLowerCase()}
              </button>
            )}
          </section>
        ))}
      </div>
    </div>
  );
};

export default KanbanBoard;
