import React, { useCallback, useMemo, useState } from 'react';
import Papa from 'papaparse';
import { Upload, FileSpreadsheet, ArrowDownAZ, ArrowUpAZ, AlertTriangle } from 'lucide-react';
import { sumBy, meanBy, orderBy } from 'lodash';

const SAMPLE = `city,country,population,area_km2,founded
Tokyo,Japan,37115000,13452,1457
Delhi,India,33807000,2233,
Shanghai,China,29867000,6341,1291
"São Paulo",Brazil,22806000,7947,1554
"Mexico City",Mexico,22505000,2386,1325
Cairo,Egypt,22183000,2010,969
Mumbai,India,21673000,871,1507
Beijing,China,22189000,4172,
Dhaka,Bangladesh,23935000,619,1608
Osaka,Japan,18967000,3212,1583
"New York, NY",United States,18937000,12093,1624
Karachi,Pakistan,17648000,1044,1729`;

function parse(text) {
  const result = Papa.parse(text.trim(), { header: true, dynamicTyping: true, skipEmptyLines: true });
  return { rows: result.data, fields: result.meta.fields ?? [], errors: result.errors };
}

function Stat({ label, value }) {
  return (
    <div className="rounded-lg bg-white px-4 py-3 shadow-sm ring-1 ring-teal-900/5">
      <div className="text-xs uppercase tracking-wide text-teal-700/70">{label}</div>
      <div className="text-lg font-semibold tabular-nums text-teal-950">{value}</div>
    </div>
  );
}

export default function CsvViewer() {
  const [text, setText] = useState(SAMPLE);
  const [name, setName] = useState('cities.csv');
  const [filter, setFilter] = useState('');
  const [sort, setSort] = useState({ field: null, dir: 'asc' });
  const [dragging, setDragging] = useState(false);
  const { rows, fields, errors } = useMemo(() => parse(text), [text]);

  const numeric = useMemo(() => fields.filter((f) => rows.some((r) => typeof r[f] === 'number')), [rows, fields]);
  const shown = useMemo(() => {
    const needle = filter.toLowerCase();
    const found = rows.filter((row) => fields.some((f) => String(row[f] ?? '').toLowerCase().includes(needle)));
    return sort.field ? orderBy(found, [sort.field], [sort.dir]) : found;
  }, [rows, fields, filter, sort]);

  const load = useCallback((file) => {
    if (!file) return;
    setName(file.name);
    const reader = new FileReader();
    reader.onload = (e) => setText(e.target.result);
    reader.readAsText(file);
  }, []);

  const toggle = (field) => setSort((s) => ({ field, dir: s.field === field && s.dir === 'asc' ? 'desc' : 'asc' }));
  const largest = (field) => Math.max(...rows.map((r) => Number(r[field]) || 0));

  return (
    <div className="min-h-screen bg-teal-50 p-6 text-slate-700">
      <div className="mx-auto max-w-6xl">
        <header className="flex items-center gap-3">
          <div className="rounded-xl bg-teal-600 p-2 text-white"><FileSpreadsheet /></div>
          <div>
            <h1 className="text-xl font-bold text-teal-950">CSV viewer</h1>
            <p className="text-sm text-teal-800/70">{name}: {rows.length} rows × {fields.length} columns</p>
          </div>
          <input value={filter} onChange={(e) => setFilter(e.target.value)} placeholder="Filter rows…"
            className="ml-auto w-64 rounded-lg border border-teal-200 bg-white px-3 py-2 text-sm outline-none focus:ring-2 focus:ring-teal-400" />
        </header>

        <label
          onDragOver={(e) => { e.preventDefault(); setDragging(true); }}
          onDragLeave={() => setDragging(false)}
          onDrop={(e) => { e.preventDefault(); setDragging(false); load(e.dataTransfer.files[0]); }}
          className={`mt-5 flex cursor-pointer items-center justify-center gap-2 rounded-xl border-2 border-dashed p-5 text-sm transition ${dragging ? 'border-teal-500 bg-teal-100' : 'border-teal-200 bg-white/60 hover:border-teal-400'}`}
        >
          <Upload className="h-4 w-4" /> Drop a .csv file here, or click to choose one
          <input type="file" accept=".csv,text/csv" className="hidden" onChange={(e) => load(e.target.files[0])} />
        </label>

        <div className="mt-5 grid grid-cols-2 gap-3 md:grid-cols-4">
          <Stat label="Rows shown" value={shown.length} />
          {numeric.slice(0, 3).map((f) => (
            <Stat key={f} label={`mean ${f}`} value={Math.round(meanBy(shown.filter((r) => r[f] != null), f) || 0).toLocaleString()} />
          ))}
        </div>

        {errors.length > 0 && (
          <p className="mt-4 flex items-center gap-2 rounded-lg bg-amber-100 px-4 py-2 text-sm text-amber-800">
            <AlertTriangle className="h-4 w-4" /> {errors.length} rows could not be read cleanly
          </p>
        )}

        <div className="mt-5 overflow-x-auto rounded-xl bg-white shadow ring-1 ring-teal-900/5">
          <table className="min-w-full text-sm">
            <thead className="bg-teal-700 text-left text-white">
              <tr>
                {fields.map((f) => (
                  <th key={f} className="px-4 py-2.5 font-medium">
                    <button onClick={() => toggle(f)} className="flex items-center gap-1">
                      {f}
                      {sort.field === f && (sort.dir === 'asc' ? <ArrowDownAZ className="h-3.5 w-3.5" /> : <ArrowUpAZ className="h-3.5 w-3.5" />)}
                    </button>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.map((row, i) => (
                <tr key={i} className="border-t border-teal-900/5 odd:bg-teal-50/40 hover:bg-teal-100/60">
                  {fields.map((f) => (
                    <td key={f} className={`px-4 py-2 ${numeric.includes(f) ? 'text-right tabular-nums' : ''}`}>
                      {row[f] == null ? <span className="text-slate-300">—</span> : f === 'population' ? (
                        <span className="flex items-center justify-end gap-2">
                          <span className="h-2 rounded bg-teal-400" style={{ width: 80 * (row[f] / largest(f)) }} />
                          {row[f].toLocaleString()}
                        </span>
                      ) : String(row[f])}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <p className="mt-3 text-xs text-teal-800/60">Total of the first numeric column: {sumBy(shown, numeric[0])?.toLocaleString()}</p>
      </div>
    </div>
  );
}
