import { useEffect, useRef, useState } from 'react';
import { Send, Bot, User, Sparkles, ThumbsUp, Copy, Menu } from 'lucide-react';
import { Avatar, AvatarFallback } from '@/components/ui/avatar';
import { Button } from '@/components/ui/button';
import { ScrollArea } from '@/components/ui/scroll-area';
import { Tooltip, TooltipContent, TooltipProvider, TooltipTrigger } from '@/components/ui/tooltip';

const REPLIES = [
  'Good question! The short answer: it depends on how often the data changes. If it changes rarely, cache it.',
  'Here is a small example:\n\n```js\nconst debounced = debounce(save, 300);\n```\n\nThat keeps the server calm.',
  'I would start with the simplest version and measure before adding anything.',
];

const CONVERSATIONS = ['Caching strategies', 'Trip to the Dolomites', 'Rewrite of the README', 'SQL window functions', 'Birthday poem'];

const formatTime = (date) => date.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });

function Message({ message }) {
  const mine = message.role === 'user';
  const parts = message.text.split(/```(?:\w+)?\n?/);
  return (
    <div className={`flex gap-3 ${mine ? 'flex-row-reverse' : ''}`}>
      <Avatar className="h-8 w-8">
        <AvatarFallback className={mine ? 'bg-violet-600 text-white' : 'bg-zinc-800 text-white'}>
          {mine ? <User className="h-4 w-4" /> : <Bot className="h-4 w-4" />}
        </AvatarFallback>
      </Avatar>
      <div className={`max-w-[70%] ${mine ? 'items-end' : 'items-start'} flex flex-col`}>
        <div className={`rounded-2xl px-4 py-2.5 text-sm leading-relaxed ${mine ? 'rounded-tr-sm bg-violet-600 text-white' : 'rounded-tl-sm bg-white shadow-sm ring-1 ring-zinc-200'}`}>
          {parts.map((part, i) => i % 2 === 1
            ? <pre key={i} className="my-2 overflow-x-auto rounded-lg bg-zinc-900 p-3 font-mono text-xs text-emerald-300">{part}</pre>
            : <p key={i} className="whitespace-pre-wrap">{part.trim()}</p>)}
        </div>
        <div className="mt-1 flex items-center gap-2 px-1 text-[11px] text-zinc-400">
          {formatTime(message.at)}
          {!mine && (
            <TooltipProvider>
              <Tooltip>
                <TooltipTrigger asChild><button aria-label="Copy"><Copy className="h-3 w-3" /></button></TooltipTrigger>
                <TooltipContent>Copy the answer</TooltipContent>
              </Tooltip>
              <button aria-label="Good answer"><ThumbsUp className="h-3 w-3" /></button>
            </TooltipProvider>
          )}
        </div>
      </div>
    </div>
  );
}

export default function ChatMockup() {
  const [messages, setMessages] = useState([
    { id: 1, role: 'assistant', text: 'Hello! How can I help you today?', at: new Date(2026, 1, 3, 9, 41) },
    { id: 2, role: 'user', text: 'How should I cache an API answer in the browser?', at: new Date(2026, 1, 3, 9, 42) },
    { id: 3, role: 'assistant', text: REPLIES[0], at: new Date(2026, 1, 3, 9, 42) },
  ]);
  const [draft, setDraft] = useState('');
  const [typing, setTyping] = useState(false);
  const [active, setActive] = useState(CONVERSATIONS[0]);
  const bottom = useRef(null);

  useEffect(() => { bottom.current?.scrollIntoView({ behavior: 'smooth', block: 'end' }); }, [messages, typing]);

  const send = (text = draft) => {
    if (!text.trim() || typing) return;
    setMessages((m) => [...m, { id: Date.now(), role: 'user', text, at: new Date() }]);
    setDraft('');
    setTyping(true);
    setTimeout(() => {
      setMessages((m) => [...m, { id: Date.now(), role: 'assistant', text: REPLIES[m.length % REPLIES.length], at: new Date() }]);
      setTyping(false);
    }, 700);
  };

  return (
    <div className="flex h-screen bg-zinc-50 text-zinc-800">
      <aside className="hidden w-64 flex-col bg-zinc-900 p-3 text-zinc-300 md:flex">
        <Button variant="secondary" className="mb-4 justify-start gap-2"><Sparkles className="h-4 w-4" /> New chat</Button>
        {CONVERSATIONS.map((title) => (
          <button key={title} onClick={() => setActive(title)} className={`truncate rounded-lg px-3 py-2 text-left text-sm ${active === title ? 'bg-zinc-800 text-white' : 'hover:bg-zinc-800/60'}`}>{title}</button>
        ))}
      </aside>
      <main className="flex flex-1 flex-col">
        <header className="flex items-center gap-3 border-b border-zinc-200 bg-white px-6 py-3">
          <Menu className="h-5 w-5 md:hidden" />
          <h1 className="font-semibold">{active}</h1>
          <span className="ml-auto flex items-center gap-2 text-xs text-zinc-500"><span className="h-2 w-2 animate-pulse rounded-full bg-emerald-500" />Online</span>
        </header>
        <ScrollArea className="flex-1">
          <div className="mx-auto max-w-3xl space-y-6 p-6">
            {messages.map((m) => <Message key={m.id} message={m} />)}
            {typing && (
              <div className="flex items-center gap-1 pl-11">
                {[0, 150, 300].map((d) => <span key={d} className="h-2 w-2 animate-bounce rounded-full bg-zinc-400" style={{ animationDelay: `${d}ms` }} />)}
              </div>
            )}
            <div ref={bottom} />
          </div>
        </ScrollArea>
        <form onSubmit={(e) => { e.preventDefault(); send(); }} className="border-t border-zinc-200 bg-white p-4">
          <div className="mx-auto flex max-w-3xl items-end gap-2 rounded-2xl border border-zinc-300 p-2 focus-within:border-violet-500">
            <textarea rows={1} value={draft} onChange={(e) => setDraft(e.target.value)} placeholder="Message the assistant"
              onKeyDown={(e) => { if (e.key === 'Enter' && !e.shiftKey) { e.preventDefault(); send(); } }}
              className="max-h-32 flex-1 resize-none bg-transparent px-2 py-1.5 text-sm outline-none" />
            <Button type="submit" size="icon" aria-label="Send" disabled={!draft.trim()} className="rounded-xl bg-violet-600 hover:bg-violet-700"><Send className="h-4 w-4" /></Button>
          </div>
        </form>
      </main>
    </div>
  );
}
