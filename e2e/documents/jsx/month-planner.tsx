import React, { useState } from 'react';
import { addDays, addMonths, differenceInCalendarDays, eachDayOfInterval, endOfMonth, endOfWeek, format, isSameDay, isSameMonth, isToday, parseISO, startOfMonth, startOfWeek, subMonths } from 'date-fns';
import { ChevronLeft, ChevronRight, CalendarDays, Clock } from 'lucide-react';
import { Card } from '@/components/ui/card';
import { Button } from '@/components/ui/button';
import { Dialog, DialogContent, DialogDescription, DialogFooter, DialogHeader, DialogTitle, DialogTrigger } from '@/components/ui/dialog';
import { Input } from '@/components/ui/input';
import { Label } from '@/components/ui/label';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select';

type Kind = 'meeting' | 'deadline' | 'travel' | 'personal';
type Event = { id: string; title: string; date: string; time?: string; kind: Kind };

const KIND: Record<Kind, string> = {
  meeting: 'bg-blue-100 text-blue-800 border-l-blue-500',
  deadline: 'bg-red-100 text-red-800 border-l-red-500',
  travel: 'bg-violet-100 text-violet-800 border-l-violet-500',
  personal: 'bg-green-100 text-green-800 border-l-green-500',
};

const START = parseISO('2026-03-01');

const firstEvents: Event[] = [
  { id: 'a', title: 'Kick-off', date: '2026-03-03', time: '09:30', kind: 'meeting' },
  { id: 'b', title: 'Budget due', date: '2026-03-06', kind: 'deadline' },
  { id: 'c', title: 'Train to Lyon', date: '2026-03-11', time: '07:12', kind: 'travel' },
  { id: 'd', title: 'Client workshop', date: '2026-03-12', time: '10:00', kind: 'meeting' },
  { id: 'e', title: 'Dentist', date: '2026-03-18', time: '16:15', kind: 'personal' },
  { id: 'f', title: 'Beta release', date: '2026-03-20', kind: 'deadline' },
  { id: 'g', title: 'Design review', date: '2026-03-20', time: '14:00', kind: 'meeting' },
  { id: 'h', title: 'Long weekend', date: '2026-03-27', kind: 'personal' },
];

export default function MonthPlanner() {
  const [month, setMonth] = useState<Date>(START);
  const [selected, setSelected] = useState<Date>(parseISO('2026-03-20'));
  const [events, setEvents] = useState<Event[]>(firstEvents);
  const [open, setOpen] = useState(false);
  const [title, setTitle] = useState('');
  const [kind, setKind] = useState<Kind>('meeting');

  const days = eachDayOfInterval({
    start: startOfWeek(startOfMonth(month), { weekStartsOn: 1 }),
    end: endOfWeek(endOfMonth(month), { weekStartsOn: 1 }),
  });
  const on = (day: Date) => events.filter((e) => isSameDay(parseISO(e.date), day));
  const upcoming = events.filter((e) => differenceInCalendarDays(parseISO(e.date), selected) >= 0).slice(0, 4);

  const save = () => {
    if (!title.trim()) return;
    setEvents([...events, { id: String(Date.now()), title, date: format(selected, 'yyyy-MM-dd'), kind }]);
    setTitle('');
    setOpen(false);
  };

  return (
    <div className="min-h-screen bg-neutral-100 p-6">
      <div className="mx-auto grid max-w-6xl gap-6 lg:grid-cols-[1fr_280px]">
        <Card className="overflow-hidden p-0">
          <div className="flex items-center justify-between border-b px-5 py-4">
            <h1 className="text-xl font-semibold">{format(month, 'MMMM yyyy')}</h1>
            <div className="flex items-center gap-1">
              <Button variant="ghost" size="icon" aria-label="Previous month" onClick={() => setMonth(subMonths(month, 1))}><ChevronLeft className="h-4 w-4" /></Button>
              <Button variant="outline" size="sm" onClick={() => setMonth(START)}>Today</Button>
              <Button variant="ghost" size="icon" aria-label="Next month" onClick={() => setMonth(addMonths(month, 1))}><ChevronRight className="h-4 w-4" /></Button>
            </div>
          </div>
          <div className="grid grid-cols-7 border-b bg-neutral-50 text-center text-xs font-medium text-neutral-500">
            {days.slice(0, 7).map((d) => <div key={d.toISOString()} className="py-2">{format(d, 'EEE')}</div>)}
          </div>
          <div className="grid grid-cols-7">
            {days.map((day) => (
              <button
                key={day.toISOString()}
                onClick={() => setSelected(day)}
                className={[
                  'min-h-24 border-b border-r p-1.5 text-left align-top transition hover:bg-neutral-50',
                  !isSameMonth(day, month) && 'bg-neutral-50 text-neutral-300',
                  isSameDay(day, selected) && 'ring-2 ring-inset ring-neutral-900',
                ].filter(Boolean).join(' ')}
              >
                <span className={`inline-flex h-6 w-6 items-center justify-center rounded-full text-xs ${isToday(day) ? 'bg-red-500 text-white' : ''}`}>{format(day, 'd')}</span>
                <span className="mt-1 block space-y-1">
                  {on(day).map((e) => (
                    <span key={e.id} className={`block truncate rounded border-l-2 px-1.5 py-0.5 text-[11px] ${KIND[e.kind]}`}>{e.title}</span>
                  ))}
                </span>
              </button>
            ))}
          </div>
        </Card>

        <div className="space-y-4">
          <Card className="p-5">
            <p className="text-sm text-neutral-500">{format(selected, 'EEEE')}</p>
            <p className="text-3xl font-bold">{format(selected, 'd MMMM')}</p>
            <ul className="mt-4 space-y-2">
              {on(selected).map((e) => (
                <li key={e.id} className={`rounded border-l-4 p-2 text-sm ${KIND[e.kind]}`}>
                  {e.title}
                  {e.time && <span className="flex items-center gap-1 text-xs opacity-70"><Clock className="h-3 w-3" />{e.time}</span>}
                </li>
              ))}
              {on(selected).length === 0 && <li className="text-sm text-neutral-400">Nothing planned.</li>}
            </ul>
            <Dialog open={open} onOpenChange={setOpen}>
              <DialogTrigger asChild><Button className="mt-4 w-full">New event</Button></DialogTrigger>
              <DialogContent>
                <DialogHeader>
                  <DialogTitle>New event</DialogTitle>
                  <DialogDescription>On {format(selected, 'PPPP')}</DialogDescription>
                </DialogHeader>
                <div className="grid gap-3 py-2">
                  <Label htmlFor="title">Title</Label>
                  <Input id="title" value={title} onChange={(e) => setTitle(e.target.value)} />
                  <Label>Kind</Label>
                  <Select value={kind} onValueChange={(v) => setKind(v as Kind)}>
                    <SelectTrigger><SelectValue /></SelectTrigger>
                    <SelectContent>
                      {(Object.keys(KIND) as Kind[]).map((k) => <SelectItem key={k} value={k}>{k}</SelectItem>)}
                    </SelectContent>
                  </Select>
                </div>
                <DialogFooter><Button onClick={save}>Save event</Button></DialogFooter>
              </DialogContent>
            </Dialog>
          </Card>
          <Card className="p-5">
            <h2 className="mb-3 flex items-center gap-2 text-sm font-semibold"><CalendarDays className="h-4 w-4" />Coming up</h2>
            <ul className="space-y-2 text-sm">
              {upcoming.map((e) => (
                <li key={e.id} className="flex justify-between">
                  <span>{e.title}</span>
                  <span className="text-neutral-500">{format(parseISO(e.date), 'd MMM')}</span>
                </li>
              ))}
            </ul>
            <p className="mt-3 text-xs text-neutral-400">Two weeks on: {format(addDays(selected, 14), 'PP')}</p>
          </Card>
        </div>
      </div>
    </div>
  );
}
