import React, { useMemo, useState } from 'react';
import {
  AreaChart, Area, BarChart, Bar, PieChart, Pie, Cell, XAxis, YAxis, CartesianGrid,
  Tooltip, Legend, ResponsiveContainer,
} from 'recharts';
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from '@/components/ui/card';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { ArrowUpRight, ArrowDownRight, DollarSign, ShoppingCart, Users, TrendingUp, Download } from 'lucide-react';

const monthly = [
  { month: 'Jan', revenue: 42000, cost: 28000, orders: 310 },
  { month: 'Feb', revenue: 45500, cost: 29500, orders: 342 },
  { month: 'Mar', revenue: 51200, cost: 31000, orders: 401 },
  { month: 'Apr', revenue: 48900, cost: 30200, orders: 377 },
  { month: 'May', revenue: 56300, cost: 33800, orders: 432 },
  { month: 'Jun', revenue: 61800, cost: 35100, orders: 489 },
  { month: 'Jul', revenue: 67400, cost: 37900, orders: 521 },
  { month: 'Aug', revenue: 64100, cost: 36800, orders: 498 },
  { month: 'Sep', revenue: 72600, cost: 39400, orders: 560 },
  { month: 'Oct', revenue: 78300, cost: 41200, orders: 604 },
  { month: 'Nov', revenue: 84900, cost: 44000, orders: 655 },
  { month: 'Dec', revenue: 96200, cost: 48700, orders: 742 },
];

const regions = [
  { name: 'North America', value: 43, color: '#6366f1' },
  { name: 'Europe', value: 31, color: '#22c55e' },
  { name: 'Asia Pacific', value: 19, color: '#f59e0b' },
  { name: 'Rest of world', value: 7, color: '#94a3b8' },
];

const products = [
  { name: 'Atlas Pro', units: 1240, revenue: 186000, trend: 12.4 },
  { name: 'Beacon Lite', units: 2310, revenue: 115500, trend: 4.1 },
  { name: 'Cobalt Suite', units: 540, revenue: 162000, trend: -2.8 },
  { name: 'Drift Add-on', units: 3120, revenue: 93600, trend: 21.9 },
];

const currency = (n) => new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 }).format(n);

const KpiCard = ({ title, value, change, icon: Icon }) => {
  const up = change >= 0;
  return (
    <Card>
      <CardHeader className="flex flex-row items-center justify-between space-y-0 pb-2">
        <CardTitle className="text-sm font-medium text-muted-foreground">{title}</CardTitle>
        <Icon className="h-4 w-4 text-muted-foreground" />
      </CardHeader>
      <CardContent>
        <div className="text-2xl font-bold tracking-tight">{value}</div>
        <p className={`mt-1 flex items-center text-xs ${up ? 'text-emerald-600' : 'text-rose-600'}`}>
          {up ? <ArrowUpRight className="mr-1 h-3 w-3" /> : <ArrowDownRight className="mr-1 h-3 w-3" />}
          {Math.abs(change)}% vs last year
        </p>
      </CardContent>
    </Card>
  );
};

export default function SalesDashboard() {
  const [range, setRange] = useState('12m');
  const data = useMemo(() => (range === '12m' ? monthly : range === '6m' ? monthly.slice(-6) : monthly.slice(-3)), [range]);
  const revenue = data.reduce((sum, d) => sum + d.revenue, 0);
  const orders = data.reduce((sum, d) => sum + d.orders, 0);

  return (
    <div className="min-h-screen bg-slate-50 p-6">
      <div className="mx-auto max-w-7xl space-y-6">
        <div className="flex flex-wrap items-center justify-between gap-4">
          <div>
            <h1 className="text-3xl font-bold tracking-tight text-slate-900">Sales Dashboard</h1>
            <p className="text-slate-500">Performance overview for fiscal year 2025</p>
          </div>
          <div className="flex items-center gap-2">
            {['3m', '6m', '12m'].map((r) => (
              <Button key={r} size="sm" variant={range === r ? 'default' : 'outline'} onClick={() => setRange(r)}>
                {r.toUpperCase()}
              </Button>
            ))}
            <Button size="sm" variant="secondary"><Download className="mr-2 h-4 w-4" />Export</Button>
          </div>
        </div>

        <div className="grid gap-4 md:grid-cols-2 lg:grid-cols-4">
          <KpiCard title="Total revenue" value={currency(revenue)} change={18.2} icon={DollarSign} />
          <KpiCard title="Orders" value={orders.toLocaleString()} change={9.4} icon={ShoppingCart} />
          <KpiCard title="Average order" value={currency(revenue / orders)} change={-1.6} icon={TrendingUp} />
          <KpiCard title="Active customers" value="2,318" change={6.7} icon={Users} />
        </div>

        <div className="grid gap-4 lg:grid-cols-3">
          <Card className="lg:col-span-2">
            <CardHeader>
              <CardTitle>Revenue and cost</CardTitle>
              <CardDescription>Last {data.length} months</CardDescription>
            </CardHeader>
            <CardContent>
              <ResponsiveContainer width="100%" height={280}>
                <AreaChart data={data} margin={{ top: 5, right: 10, left: 0, bottom: 0 }}>
                  <defs>
                    <linearGradient id="rev" x1="0" y1="0" x2="0" y2="1">
                      <stop offset="5%" stopColor="#6366f1" stopOpacity={0.5} />
                      <stop offset="95%" stopColor="#6366f1" stopOpacity={0} />
                    </linearGradient>
                  </defs>
                  <CartesianGrid strokeDasharray="3 3" vertical={false} stroke="#e2e8f0" />
                  <XAxis dataKey="month" tickLine={false} axisLine={false} fontSize={12} />
                  <YAxis tickFormatter={(v) => `$${v / 1000}k`} tickLine={false} axisLine={false} fontSize={12} />
                  <Tooltip formatter={(v) => currency(v)} />
                  <Legend />
                  <Area type="monotone" dataKey="revenue" stroke="#6366f1" strokeWidth={2} fill="url(#rev)" />
                  <Area type="monotone" dataKey="cost" stroke="#f43f5e" strokeWidth={2} fillOpacity={0.05} fill="#f43f5e" />
                </AreaChart>
              </ResponsiveContainer>
            </CardContent>
          </Card>
          <Card>
            <CardHeader>
              <CardTitle>By region</CardTitle>
              <CardDescription>Share of revenue</CardDescription>
            </CardHeader>
            <CardContent>
              <ResponsiveContainer width="100%" height={220}>
                <PieChart>
                  <Pie data={regions} dataKey="value" nameKey="name" innerRadius={55} outerRadius={85} paddingAngle={3}>
                    {regions.map((r) => <Cell key={r.name} fill={r.color} />)}
                  </Pie>
                  <Tooltip formatter={(v) => `${v}%`} />
                </PieChart>
              </ResponsiveContainer>
              <ul className="mt-2 space-y-1 text-sm">
                {regions.map((r) => (
                  <li key={r.name} className="flex items-center justify-between">
                    <span className="flex items-center gap-2">
                      <span className="h-2.5 w-2.5 rounded-full" style={{ background: r.color }} />{r.name}
                    </span>
                    <span className="font-medium">{r.value}%</span>
                  </li>
                ))}
              </ul>
            </CardContent>
          </Card>
        </div>

        <div className="grid gap-4 lg:grid-cols-2">
          <Card>
            <CardHeader><CardTitle>Orders per month</CardTitle></CardHeader>
            <CardContent>
              <ResponsiveContainer width="100%" height={220}>
                <BarChart data={data}>
                  <XAxis dataKey="month" tickLine={false} axisLine={false} fontSize={12} />
                  <YAxis tickLine={false} axisLine={false} fontSize={12} />
                  <Tooltip cursor={{ fill: '#f1f5f9' }} />
                  <Bar dataKey="orders" fill="#0ea5e9" radius={[4, 4, 0, 0]} />
                </BarChart>
              </ResponsiveContainer>
            </CardContent>
          </Card>
          <Card>
            <CardHeader><CardTitle>Top products</CardTitle></CardHeader>
            <CardContent>
              <table className="w-full text-sm">
                <thead>
                  <tr className="border-b text-left text-slate-500">
                    <th className="pb-2 font-medium">Product</th>
                    <th className="pb-2 text-right font-medium">Units</th>
                    <th className="pb-2 text-right font-medium">Revenue</th>
                    <th className="pb-2 text-right font-medium">Trend</th>
                  </tr>
                </thead>
                <tbody>
                  {products.map((p) => (
                    <tr key={p.name} className="border-b last:border-0">
                      <td className="py-3 font-medium">{p.name}</td>
                      <td className="py-3 text-right tabular-nums">{p.units.toLocaleString()}</td>
                      <td className="py-3 text-right tabular-nums">{currency(p.revenue)}</td>
                      <td className="py-3 text-right">
                        <Badge variant={p.trend >= 0 ? 'secondary' : 'destructive'}>{p.trend > 0 ? '+' : ''}{p.trend}%</Badge>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </CardContent>
          </Card>
        </div>
      </div>
    </div>
  );
}
