// A pomodoro timer: React hooks straight from the global, as many snippets are written.
const MODES = {
  focus: { label: 'Focus', minutes: 25, ring: '#ef4444', page: 'from-rose-100 to-orange-50' },
  short: { label: 'Short break', minutes: 5, ring: '#10b981', page: 'from-emerald-100 to-teal-50' },
  long: { label: 'Long break', minutes: 15, ring: '#3b82f6', page: 'from-sky-100 to-indigo-50' },
};

function useInterval(callback, delay) {
  const saved = React.useRef(callback);
  React.useEffect(() => { saved.current = callback; }, [callback]);
  React.useEffect(() => {
    if (delay === null) return undefined;
    const id = setInterval(() => saved.current(), delay);
    return () => clearInterval(id);
  }, [delay]);
}

function Ring({ progress, color, children }) {
  const radius = 130;
  const length = 2 * Math.PI * radius;
  return (
    <div className="relative h-72 w-72">
      <svg viewBox="0 0 300 300" className="h-full w-full -rotate-90">
        <circle cx="150" cy="150" r={radius} fill="none" stroke="#ffffff" strokeWidth="14" />
        <circle cx="150" cy="150" r={radius} fill="none" stroke={color} strokeWidth="14" strokeLinecap="round"
          strokeDasharray={length} strokeDashoffset={length * (1 - progress)} style={{ transition: 'stroke-dashoffset 0.5s linear' }} />
      </svg>
      <div className="absolute inset-0 flex flex-col items-center justify-center">{children}</div>
    </div>
  );
}

function App() {
  const [mode, setMode] = React.useState('focus');
  const [left, setLeft] = React.useState(MODES.focus.minutes * 60);
  const [running, setRunning] = React.useState(false);
  const [sessions, setSessions] = React.useState(() => Number(localStorage.getItem('pomodoro.sessions') || 3));
  const [task, setTask] = React.useState(localStorage.getItem('pomodoro.task') || 'Write the quarterly report');

  React.useEffect(() => { localStorage.setItem('pomodoro.sessions', String(sessions)); }, [sessions]);
  React.useEffect(() => { localStorage.setItem('pomodoro.task', task); }, [task]);

  useInterval(() => {
    if (left > 1) return setLeft(left - 1);
    setRunning(false);
    if (mode === 'focus') setSessions((n) => n + 1);
    choose(mode === 'focus' ? ((sessions + 1) % 4 === 0 ? 'long' : 'short') : 'focus');
  }, running ? 1000 : null);

  const choose = (next) => {
    setMode(next);
    setRunning(false);
    setLeft(MODES[next].minutes * 60);
  };

  const total = MODES[mode].minutes * 60;
  const clock = `${String(Math.floor(left / 60)).padStart(2, '0')}:${String(left % 60).padStart(2, '0')}`;

  return (
    <div className={`flex min-h-screen flex-col items-center justify-center bg-gradient-to-br ${MODES[mode].page} p-6 transition-colors duration-500`}>
      <div className="mb-8 inline-flex rounded-full bg-white/70 p-1 shadow">
        {Object.entries(MODES).map(([key, { label }]) => (
          <button key={key} onClick={() => choose(key)}
            className={`rounded-full px-5 py-2 text-sm font-medium transition ${mode === key ? 'bg-gray-900 text-white' : 'text-gray-600 hover:text-gray-900'}`}>
            {label}
          </button>
        ))}
      </div>
      <Ring progress={left / total} color={MODES[mode].ring}>
        <span className="text-6xl font-extralight tabular-nums text-gray-900">{clock}</span>
        <span className="mt-1 text-xs uppercase tracking-[0.3em] text-gray-500">{MODES[mode].label}</span>
      </Ring>
      <input value={task} onChange={(e) => setTask(e.target.value)} aria-label="Task"
        className="mt-8 w-80 border-b border-gray-300 bg-transparent pb-1 text-center text-gray-700 outline-none focus:border-gray-900" />
      <div className="mt-8 flex gap-4">
        <button onClick={() => setRunning(!running)} className="w-32 rounded-xl bg-gray-900 py-3 font-semibold text-white shadow-lg hover:bg-gray-700">
          {running ? 'Pause' : 'Start'}
        </button>
        <button onClick={() => choose(mode)} className="w-32 rounded-xl bg-white py-3 font-semibold text-gray-700 shadow hover:bg-gray-50">Reset</button>
      </div>
      <div className="mt-8 flex items-center gap-2">
        {[0, 1, 2, 3].map((i) => (
          <span key={i} className={`h-3 w-3 rounded-full ${i < sessions % 4 ? 'bg-rose-500' : 'bg-white'}`} />
        ))}
        <span className="ml-2 text-sm text-gray-500">{sessions} sessions today</span>
      </div>
    </div>
  );
}

render(<App />);
