import * as React from "react";
import { ArrowUpDown, ChevronDown, MoreHorizontal, Search } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { Badge } from "@/components/ui/badge";
import { Table, TableBody, TableCaption, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import { DropdownMenu, DropdownMenuCheckboxItem, DropdownMenuContent, DropdownMenuItem, DropdownMenuLabel, DropdownMenuSeparator, DropdownMenuTrigger } from "@/components/ui/dropdown-menu";
import { Avatar, AvatarFallback } from "@/components/ui/avatar";

type Status = "active" | "trial" | "churned";

interface Customer {
  id: number;
  name: string;
  email: string;
  status: Status;
  mrr: number;
  since: string;
}

const FIRST = ["Amara", "Bjorn", "Chiara", "Dmitri", "Elif", "Farid", "Greta", "Hugo", "Imani", "Jun", "Kaia", "Leo"];
const LAST = ["Okafor", "Lind", "Rossi", "Volkov", "Yilmaz"];
const STATUSES: Status[] = ["active", "active", "trial", "active", "churned"];

const customers: Customer[] = Array.from({ length: 48 }, (_, i) => {
  const first = FIRST[i % FIRST.length]!;
  const last = LAST[(i * 7) % LAST.length]!;
  return {
    id: i + 1,
    name: `${first} ${last}`,
    email: `${first}.${last}${i}@example.com`.toLowerCase(),
    status: STATUSES[(i * 3) % STATUSES.length]!,
    mrr: 49 + ((i * 137) % 900),
    since: new Date(Date.UTC(2023, i % 24, 1 + (i % 27))).toISOString().slice(0, 10),
  };
});

type SortKey = keyof Pick<Customer, "name" | "mrr" | "since">;
const PAGE = 8;
const variants = { active: "default", trial: "secondary", churned: "outline" } as const;

export default function CustomerTable() {
  const [query, setQuery] = React.useState("");
  const [sort, setSort] = React.useState<{ key: SortKey; desc: boolean }>({ key: "name", desc: false });
  const [page, setPage] = React.useState(0);
  const [shown, setShown] = React.useState<Record<Status, boolean>>({ active: true, trial: true, churned: true });

  const rows = React.useMemo(() => {
    const needle = query.toLowerCase();
    return customers
      .filter((c) => shown[c.status] && (c.name.toLowerCase().includes(needle) || c.email.includes(needle)))
      .sort((a, b) => {
        const order = a[sort.key] < b[sort.key] ? -1 : a[sort.key] > b[sort.key] ? 1 : 0;
        return sort.desc ? -order : order;
      });
  }, [query, sort, shown]);

  const pages = Math.max(1, Math.ceil(rows.length / PAGE));
  const current = Math.min(page, pages - 1);
  const visible = rows.slice(current * PAGE, current * PAGE + PAGE);

  const SortButton = ({ id, children }: { id: SortKey; children: React.ReactNode }) => (
    <Button variant="ghost" size="sm" className="-ml-3" onClick={() => setSort({ key: id, desc: sort.key === id && !sort.desc })}>
      {children}<ArrowUpDown className="ml-2 h-3.5 w-3.5" />
    </Button>
  );

  return (
    <div className="mx-auto max-w-5xl p-8">
      <h1 className="text-2xl font-semibold tracking-tight">Customers</h1>
      <p className="text-sm text-muted-foreground">Manage who pays you, and who might.</p>
      <div className="flex items-center gap-3 py-5">
        <div className="relative max-w-sm flex-1">
          <Search className="absolute left-2.5 top-2.5 h-4 w-4 text-muted-foreground" />
          <Input placeholder="Filter by name or email…" className="pl-9" value={query} onChange={(e) => { setQuery(e.target.value); setPage(0); }} />
        </div>
        <DropdownMenu>
          <DropdownMenuTrigger asChild>
            <Button variant="outline" className="ml-auto">Status <ChevronDown className="ml-2 h-4 w-4" /></Button>
          </DropdownMenuTrigger>
          <DropdownMenuContent align="end">
            <DropdownMenuLabel>Show</DropdownMenuLabel>
            <DropdownMenuSeparator />
            {(Object.keys(shown) as Status[]).map((status) => (
              <DropdownMenuCheckboxItem key={status} className="capitalize" checked={shown[status]} onCheckedChange={(value) => setShown({ ...shown, [status]: !!value })}>
                {status}
              </DropdownMenuCheckboxItem>
            ))}
          </DropdownMenuContent>
        </DropdownMenu>
      </div>
      <div className="rounded-md border">
        <Table>
          <TableCaption className="pb-4">{rows.length} customers</TableCaption>
          <TableHeader>
            <TableRow>
              <TableHead><SortButton id="name">Name</SortButton></TableHead>
              <TableHead>Status</TableHead>
              <TableHead><SortButton id="since">Since</SortButton></TableHead>
              <TableHead className="text-right"><SortButton id="mrr">MRR</SortButton></TableHead>
              <TableHead className="w-10" />
            </TableRow>
          </TableHeader>
          <TableBody>
            {visible.map((c) => (
              <TableRow key={c.id}>
                <TableCell>
                  <div className="flex items-center gap-3">
                    <Avatar className="h-8 w-8"><AvatarFallback>{c.name.split(" ").map((w) => w[0]).join("")}</AvatarFallback></Avatar>
                    <div><div className="font-medium">{c.name}</div><div className="text-xs text-muted-foreground">{c.email}</div></div>
                  </div>
                </TableCell>
                <TableCell><Badge variant={variants[c.status]} className="capitalize">{c.status}</Badge></TableCell>
                <TableCell className="tabular-nums">{c.since}</TableCell>
                <TableCell className="text-right font-medium tabular-nums">${c.mrr.toFixed(2)}</TableCell>
                <TableCell>
                  <DropdownMenu>
                    <DropdownMenuTrigger asChild>
                      <Button variant="ghost" size="icon" aria-label="Actions"><MoreHorizontal className="h-4 w-4" /></Button>
                    </DropdownMenuTrigger>
                    <DropdownMenuContent align="end">
                      <DropdownMenuItem>View</DropdownMenuItem>
                      <DropdownMenuItem>Send invoice</DropdownMenuItem>
                    </DropdownMenuContent>
                  </DropdownMenu>
                </TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </div>
      <div className="flex items-center justify-end gap-2 py-4">
        <span className="mr-auto text-sm text-muted-foreground">Page {current + 1} of {pages}</span>
        <Button variant="outline" size="sm" disabled={current === 0} onClick={() => setPage(current - 1)}>Previous</Button>
        <Button variant="outline" size="sm" disabled={current === pages - 1} onClick={() => setPage(current + 1)}>Next</Button>
      </div>
    </div>
  );
}
