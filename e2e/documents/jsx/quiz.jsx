import React, { useReducer, useEffect } from 'react';

const QUESTIONS = [
  { q: 'Which planet has the longest day?', options: ['Mercury', 'Venus', 'Mars', 'Neptune'], answer: 1, why: 'Venus takes 243 Earth days to turn once.' },
  { q: 'What is the largest ocean?', options: ['Atlantic', 'Indian', 'Arctic', 'Pacific'], answer: 3, why: 'The Pacific covers about a third of the surface.' },
  { q: 'Who painted “The Starry Night”?', options: ['Claude Monet', 'Vincent van Gogh', 'Paul Cézanne', 'Edvard Munch'], answer: 1, why: 'He painted it in June 1889 in Saint-Rémy.' },
  { q: 'Which gas do plants take in?', options: ['Oxygen', 'Nitrogen', 'Carbon dioxide', 'Helium'], answer: 2, why: 'It is turned into sugar by photosynthesis.' },
  { q: 'How many keys has a usual piano?', options: ['76', '82', '88', '96'], answer: 2, why: '52 white and 36 black ones.' },
];

const initialState = { index: 0, chosen: null, score: 0, finished: false, seconds: 0, answers: [] };

function reducer(state, action) {
  switch (action.type) {
    case 'tick':
      return { ...state, seconds: state.seconds + 1 };
    case 'choose': {
      if (state.chosen !== null) return state;
      const right = action.option === QUESTIONS[state.index].answer;
      return { ...state, chosen: action.option, score: state.score + (right ? 1 : 0), answers: [...state.answers, right] };
    }
    case 'next':
      return state.index + 1 === QUESTIONS.length
        ? { ...state, finished: true }
        : { ...state, index: state.index + 1, chosen: null };
    case 'restart':
      return initialState;
    default:
      throw new Error(`Unknown action: ${action.type}`);
  }
}

const Option = ({ letter, children, state, ...props }) => {
  const styles = {
    idle: 'border-white/20 bg-white/10 hover:bg-white/20',
    right: 'border-emerald-300 bg-emerald-400/30',
    wrong: 'border-rose-300 bg-rose-400/30',
    dimmed: 'border-white/10 bg-white/5 opacity-60',
  };
  return (
    <button {...props} className={`flex w-full items-center gap-4 rounded-2xl border p-4 text-left transition ${styles[state]}`}>
      <span className="flex h-8 w-8 items-center justify-center rounded-full bg-white/20 font-bold">{letter}</span>
      <span>{children}</span>
      {state === 'right' && <span className="ml-auto">✓</span>}
      {state === 'wrong' && <span className="ml-auto">✗</span>}
    </button>
  );
};

class Quiz extends React.Component {
  state = { started: true };

  render() {
    return <QuizGame onQuit={() => this.setState({ started: false })} />;
  }
}

function QuizGame() {
  const [state, dispatch] = useReducer(reducer, initialState);
  const question = QUESTIONS[state.index];

  useEffect(() => {
    if (state.finished) return;
    const timer = setInterval(() => dispatch({ type: 'tick' }), 1000);
    return () => clearInterval(timer);
  }, [state.finished]);

  const stateOf = (i) => {
    if (state.chosen === null) return 'idle';
    if (i === question.answer) return 'right';
    return i === state.chosen ? 'wrong' : 'dimmed';
  };

  return (
    <div className="flex min-h-screen items-center justify-center bg-gradient-to-br from-violet-700 via-purple-700 to-fuchsia-600 p-6 text-white">
      <div className="w-full max-w-xl">
        <div className="mb-6 flex items-center justify-between text-sm text-white/80">
          <span className="font-semibold">General knowledge</span>
          <span className="tabular-nums">{Math.floor(state.seconds / 60)}:{String(state.seconds % 60).padStart(2, '0')}</span>
        </div>
        <div className="mb-8 flex gap-1.5">
          {QUESTIONS.map((_, i) => (
            <div key={i} className={`h-1.5 flex-1 rounded-full ${state.answers[i] === true ? 'bg-emerald-300' : state.answers[i] === false ? 'bg-rose-300' : i === state.index ? 'bg-white' : 'bg-white/25'}`} />
          ))}
        </div>
        {state.finished ? (
          <div className="rounded-3xl bg-white/10 p-10 text-center backdrop-blur">
            <div className="text-6xl">{state.score >= 4 ? '🏆' : state.score >= 2 ? '👏' : '📚'}</div>
            <h2 className="mt-4 text-3xl font-bold">{state.score} of {QUESTIONS.length}</h2>
            <p className="mt-2 text-white/70">in {state.seconds} seconds</p>
            <button onClick={() => dispatch({ type: 'restart' })} className="mt-6 rounded-full bg-white px-6 py-2 font-semibold text-purple-700">Play again</button>
          </div>
        ) : (
          <>
            <p className="text-sm text-white/60">Question {state.index + 1} of {QUESTIONS.length}</p>
            <h2 className="mb-6 mt-1 text-3xl font-bold leading-snug">{question.q}</h2>
            <div className="space-y-3">
              {question.options.map((option, i) => (
                <Option key={option} letter={'ABCD'[i]} state={stateOf(i)} onClick={() => dispatch({ type: 'choose', option: i })}>{option}</Option>
              ))}
            </div>
            {state.chosen !== null && (
              <div className="mt-6 flex items-center justify-between gap-4">
                <p className="text-sm text-white/80">{state.chosen === question.answer ? 'Right! ' : 'Not quite. '}{question.why}</p>
                <button onClick={() => dispatch({ type: 'next' })} className="shrink-0 rounded-full bg-white px-6 py-2 font-semibold text-purple-700">Next</button>
              </div>
            )}
          </>
        )}
      </div>
    </div>
  );
}

export default Quiz;
