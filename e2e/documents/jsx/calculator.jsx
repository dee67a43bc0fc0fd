import React, { useState, useEffect, useCallback } from 'react';
import _ from 'lodash';
import * as math from 'mathjs';
import { Delete, History, Equal } from 'lucide-react';

const BUTTONS = [
  ['sin(', 'cos(', 'tan(', 'sqrt('],
  ['(', ')', '^', '/'],
  ['7', '8', '9', '*'],
  ['4', '5', '6', '-'],
  ['1', '2', '3', '+'],
  ['0', '.', 'pi', '='],
];

const EXAMPLES = ['2 ^ 10', 'sqrt(3^2 + 4^2)', '12.7 cm to inch', 'det([-1, 2; 3, 1])', '9 / 3 + 2i'];

const isOperator = (key) => _.includes(['/', '*', '-', '+', '^', '(', ')'], key);

function App() {
  const [expression, setExpression] = useState('');
  const [history, setHistory] = useState([]);
  const [error, setError] = useState(null);

  const preview = React.useMemo(() => {
    if (_.isEmpty(_.trim(expression))) return '';
    try {
      return math.format(math.evaluate(expression), { precision: 12 });
    } catch {
      return '';
    }
  }, [expression]);

  const evaluate = useCallback(() => {
    try {
      const result = math.format(math.evaluate(expression), { precision: 12 });
      setHistory((past) => _.take([{ expression, result, at: Date.now() }, ...past], 8));
      setExpression(result);
      setError(null);
    } catch (e) {
      setError(e.message);
    }
  }, [expression]);

  const press = (key) => (key === '=' ? evaluate() : setExpression((text) => text + key));

  useEffect(() => {
    const onKey = (event) => {
      if (event.key === 'Escape') setExpression('');
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);

  const numbers = _.compact(history.map((h) => Number(h.result))).filter(_.isFinite);
  const stats = numbers.length > 0 ? { mean: _.round(_.mean(numbers), 3), max: _.max(numbers), sum: _.round(_.sum(numbers), 3) } : null;

  return (
    <div className="flex min-h-screen items-center justify-center bg-neutral-900 p-6 font-mono">
      <div className="grid w-full max-w-4xl gap-6 md:grid-cols-[380px_1fr]">
        <div className="rounded-3xl bg-neutral-800 p-5 shadow-2xl ring-1 ring-white/10">
          <div className="mb-4 rounded-2xl bg-black/60 p-4 text-right">
            <input
              value={expression}
              onChange={(e) => setExpression(e.target.value)}
              onKeyDown={(e) => e.key === 'Enter' && evaluate()}
              placeholder="0"
              aria-label="Expression"
              className="w-full bg-transparent text-right text-2xl text-white outline-none placeholder:text-neutral-600"
            />
            <div className="mt-2 h-6 truncate text-sm text-emerald-400" data-testid="preview">{error ?? (preview && `= ${preview}`)}</div>
          </div>
          <div className="mb-2 flex gap-2">
            <button onClick={() => { setExpression(''); setError(null); }} className="flex-1 rounded-xl bg-rose-500/20 py-3 text-rose-300 hover:bg-rose-500/30">AC</button>
            <button onClick={() => setExpression((t) => t.slice(0, -1))} aria-label="Backspace" className="flex flex-1 items-center justify-center rounded-xl bg-neutral-700 py-3 text-white hover:bg-neutral-600"><Delete size={18} /></button>
          </div>
          <div className="grid grid-cols-4 gap-2">
            {_.flatten(BUTTONS).map((key) => (
              <button
                key={key}
                onClick={() => press(key)}
                className={`rounded-xl py-3 text-lg transition active:scale-95 ${
                  key === '=' ? 'bg-emerald-500 text-black hover:bg-emerald-400'
                    : isOperator(key) ? 'bg-amber-500/90 text-black hover:bg-amber-400'
                      : /^[a-z]/.test(key) ? 'bg-sky-900 text-sky-200 text-sm hover:bg-sky-800'
                        : 'bg-neutral-700 text-white hover:bg-neutral-600'
                }`}
              >
                {key === '=' ? <Equal className="mx-auto" size={20} /> : _.trimEnd(key, '(') || key}
              </button>
            ))}
          </div>
        </div>
        <div className="space-y-4 text-neutral-300">
          <h1 className="text-xl font-bold text-white">Scientific calculator</h1>
          <div className="flex flex-wrap gap-2">
            {EXAMPLES.map((example) => (
              <button key={example} onClick={() => setExpression(example)} className="rounded-full border border-neutral-700 px-3 py-1 text-xs hover:border-emerald-500 hover:text-emerald-300">{example}</button>
            ))}
          </div>
          <div className="rounded-2xl bg-neutral-800/60 p-4">
            <h2 className="mb-3 flex items-center gap-2 text-sm text-neutral-400"><History size={16} /> History</h2>
            {history.length === 0 && <p className="text-sm text-neutral-500">Nothing calculated yet.</p>}
            <ul className="space-y-2">
              {history.map((item) => (
                <li key={item.at} className="flex justify-between border-b border-white/5 pb-2 text-sm">
                  <span className="truncate">{item.expression}</span>
                  <span className="text-emerald-400">{item.result}</span>
                </li>
              ))}
            </ul>
            {stats && <p className="mt-3 text-xs text-neutral-500">mean {stats.mean} · max {stats.max} · sum {stats.sum}</p>}
          </div>
        </div>
      </div>
    </div>
  );
}

export default App;
