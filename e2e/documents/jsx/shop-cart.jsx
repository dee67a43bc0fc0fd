import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { Minus, Plus, ShoppingBag, Trash2, Tag } from 'lucide-react';
import { twMerge } from 'tailwind-merge';

const PRODUCTS = [
  { id: 'mug', name: 'Stoneware mug', price: 24, emoji: '☕', tint: 'bg-orange-100' },
  { id: 'lamp', name: 'Desk lamp', price: 89, emoji: '💡', tint: 'bg-yellow-100' },
  { id: 'plant', name: 'Monstera, small', price: 35, emoji: '🪴', tint: 'bg-green-100' },
  { id: 'book', name: 'Dotted notebook', price: 16, emoji: '📓', tint: 'bg-blue-100' },
  { id: 'clock', name: 'Wall clock', price: 62, emoji: '🕰️', tint: 'bg-rose-100' },
  { id: 'chair', name: 'Reading chair', price: 340, emoji: '🪑', tint: 'bg-purple-100' },
];

const useCart = create(
  persist(
    (set, get) => ({
      items: { mug: 1, book: 2 },
      coupon: null,
      add: (id) => set((s) => ({ items: { ...s.items, [id]: (s.items[id] ?? 0) + 1 } })),
      remove: (id) => set((s) => {
        const { [id]: count, ...rest } = s.items;
        return { items: count > 1 ? { ...rest, [id]: count - 1 } : rest };
      }),
      clear: (id) => set((s) => ({ items: Object.fromEntries(Object.entries(s.items).filter(([key]) => key !== id)) })),
      applyCoupon: (code) => {
        if (code.toUpperCase() === 'SPRING20') set({ coupon: { code: 'SPRING20', rate: 0.2 } });
        return get().coupon !== null;
      },
    }),
    { name: 'cart-storage' },
  ),
);

const money = (n) => `€${n.toFixed(2)}`;

function Button({ className, ...props }) {
  return <button {...props} className={twMerge('inline-flex items-center justify-center rounded-lg bg-stone-900 px-4 py-2 text-sm font-medium text-white hover:bg-stone-700', className)} />;
}

function ProductCard({ product }) {
  const add = useCart((s) => s.add);
  const count = useCart((s) => s.items[product.id] ?? 0);
  return (
    <article className="overflow-hidden rounded-2xl bg-white shadow-sm ring-1 ring-stone-200">
      <div className={`relative flex h-36 items-center justify-center text-6xl ${product.tint}`}>
        {product.emoji}
        {count > 0 && <span className="absolute right-3 top-3 flex h-6 w-6 items-center justify-center rounded-full bg-stone-900 text-xs text-white">{count}</span>}
      </div>
      <div className="flex items-center justify-between p-4">
        <div>
          <h3 className="text-sm font-semibold text-stone-800">{product.name}</h3>
          <p className="text-sm text-stone-500">{money(product.price)}</p>
        </div>
        <Button onClick={() => add(product.id)} aria-label={`Add ${product.name}`} className="h-9 w-9 rounded-full bg-lime-400 p-0 text-stone-900 hover:bg-lime-500"><Plus size={16} /></Button>
      </div>
    </article>
  );
}

function CartPanel() {
  const { items, coupon, add, remove, clear, applyCoupon } = useCart();
  const lines = Object.entries(items).map(([id, count]) => ({ ...PRODUCTS.find((p) => p.id === id), count }));
  const subtotal = lines.reduce((sum, l) => sum + l.price * l.count, 0);
  const discount = coupon ? subtotal * coupon.rate : 0;
  const shipping = subtotal === 0 || subtotal > 100 ? 0 : 7.5;

  return (
    <aside className="sticky top-6 h-fit rounded-2xl bg-white p-6 shadow-lg ring-1 ring-stone-200">
      <h2 className="flex items-center gap-2 font-semibold"><ShoppingBag size={18} /> Your bag</h2>
      {lines.length === 0 && <p className="py-8 text-center text-sm text-stone-400">Your bag is empty.</p>}
      <ul className="mt-4 divide-y divide-stone-100">
        {lines.map((line) => (
          <li key={line.id} className="flex items-center gap-3 py-3">
            <span className={`flex h-10 w-10 items-center justify-center rounded-lg text-xl ${line.tint}`}>{line.emoji}</span>
            <div className="flex-1">
              <p className="text-sm font-medium">{line.name}</p>
              <p className="text-xs text-stone-500">{money(line.price * line.count)}</p>
            </div>
            <div className="flex items-center rounded-full border border-stone-200 text-sm">
              <button aria-label={`Less ${line.name}`} onClick={() => remove(line.id)} className="p-1.5"><Minus size={12} /></button>
              <span className="w-5 text-center tabular-nums">{line.count}</span>
              <button aria-label={`More ${line.name}`} onClick={() => add(line.id)} className="p-1.5"><Plus size={12} /></button>
            </div>
            <button aria-label={`Remove ${line.name}`} onClick={() => clear(line.id)} className="text-stone-300 hover:text-red-500"><Trash2 size={14} /></button>
          </li>
        ))}
      </ul>
      <form className="mt-4 flex gap-2" onSubmit={(e) => { e.preventDefault(); applyCoupon(new FormData(e.currentTarget).get('code')); }}>
        <input name="code" placeholder="Coupon (try SPRING20)" className="min-w-0 flex-1 rounded-lg border border-stone-200 px-3 text-sm" />
        <Button type="submit" className="bg-stone-200 text-stone-800 hover:bg-stone-300"><Tag size={14} /></Button>
      </form>
      <dl className="mt-5 space-y-1 text-sm">
        <div className="flex justify-between"><dt>Subtotal</dt><dd>{money(subtotal)}</dd></div>
        {coupon && <div className="flex justify-between text-lime-700"><dt>{coupon.code}</dt><dd>−{money(discount)}</dd></div>}
        <div className="flex justify-between"><dt>Shipping</dt><dd>{shipping ? money(shipping) : 'Free'}</dd></div>
        <div className="flex justify-between border-t pt-2 text-base font-bold"><dt>Total</dt><dd data-total>{money(subtotal - discount + shipping)}</dd></div>
      </dl>
      <Button className="mt-5 w-full py-3">Check out</Button>
    </aside>
  );
}

export default function Shop() {
  return (
    <div className="min-h-screen bg-stone-100 p-8">
      <div className="mx-auto grid max-w-6xl gap-8 lg:grid-cols-[1fr_340px]">
        <div>
          <h1 className="text-3xl font-black tracking-tight text-stone-900">Home &amp; desk</h1>
          <p className="mb-6 text-stone-500">Six things worth having.</p>
          <div className="grid gap-5 sm:grid-cols-2 lg:grid-cols-3">{PRODUCTS.map((p) => <ProductCard key={p.id} product={p} />)}</div>
        </div>
        <CartPanel />
      </div>
    </div>
  );
}
