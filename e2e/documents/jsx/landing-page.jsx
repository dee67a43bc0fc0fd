import { useRef, useState } from 'react';
import { motion, AnimatePresence, useScroll, useTransform } from 'framer-motion';
import { Sparkles, Zap, Shield, Layers, ArrowRight, Check } from 'lucide-react';

const features = [
  { icon: Zap, title: 'Instant previews', text: 'See each change the moment you make it, on every screen size at once.' },
  { icon: Shield, title: 'Private by default', text: 'Nothing leaves your machine until you say so. Keys stay with you.' },
  { icon: Layers, title: 'Composable blocks', text: 'Build from small parts that fit together and stay out of your way.' },
];

const words = ['designers', 'developers', 'founders', 'writers'];

const container = { hidden: {}, show: { transition: { staggerChildren: 0.08 } } };
const item = { hidden: { opacity: 0, y: 24 }, show: { opacity: 1, y: 0, transition: { type: 'spring', stiffness: 200, damping: 20 } } };

function Blob({ className, delay }) {
  return (
    <motion.div
      className={`absolute rounded-full blur-3xl ${className}`}
      animate={{ scale: [1, 1.15, 1], x: [0, 30, 0], y: [0, -20, 0] }}
      transition={{ duration: 9, repeat: Infinity, ease: 'easeInOut', delay }}
    />
  );
}

export default function LandingPage() {
  const ref = useRef(null);
  const { scrollYProgress } = useScroll();
  const lift = useTransform(scrollYProgress, [0, 1], [0, -120]);
  const [word, setWord] = useState(0);
  const [open, setOpen] = useState(false);

  return (
    <div ref={ref} className="relative min-h-screen overflow-hidden bg-[#0b0a1f] text-white">
      <Blob className="-left-24 -top-24 h-96 w-96 bg-fuchsia-600/40" delay={0} />
      <Blob className="right-0 top-40 h-[28rem] w-[28rem] bg-indigo-600/40" delay={2} />
      <Blob className="bottom-0 left-1/3 h-80 w-80 bg-cyan-500/30" delay={4} />

      <nav className="relative z-10 mx-auto flex max-w-6xl items-center justify-between px-6 py-6">
        <span className="flex items-center gap-2 text-lg font-semibold"><Sparkles className="h-5 w-5 text-fuchsia-400" /> Lumen</span>
        <div className="hidden gap-8 text-sm text-white/70 md:flex">
          <a href="#features" className="hover:text-white">Features</a>
          <a href="#pricing" className="hover:text-white">Pricing</a>
          <a href="#docs" className="hover:text-white">Docs</a>
        </div>
        <motion.button whileHover={{ scale: 1.05 }} whileTap={{ scale: 0.95 }} onClick={() => setOpen(true)} className="rounded-full bg-white px-4 py-2 text-sm font-medium text-slate-900">
          Get started
        </motion.button>
      </nav>

      <motion.section style={{ y: lift }} className="relative z-10 mx-auto max-w-4xl px-6 pb-20 pt-16 text-center">
        <motion.p initial={{ opacity: 0 }} animate={{ opacity: 1 }} className="mx-auto mb-6 w-fit rounded-full border border-white/15 bg-white/5 px-4 py-1 text-xs text-white/80">
          Version 2.0 is here →
        </motion.p>
        <motion.h1 initial={{ opacity: 0, y: 30 }} animate={{ opacity: 1, y: 0 }} transition={{ duration: 0.7 }} className="text-5xl font-bold leading-tight tracking-tight md:text-7xl">
          The canvas for{' '}
          <button onClick={() => setWord((w) => (w + 1) % words.length)} className="relative inline-block bg-gradient-to-r from-fuchsia-400 via-violet-400 to-cyan-300 bg-clip-text text-transparent">
            <AnimatePresence mode="wait">
              <motion.span key={words[word]} initial={{ opacity: 0, y: 20 }} animate={{ opacity: 1, y: 0 }} exit={{ opacity: 0, y: -20 }} className="inline-block">
                {words[word]}
              </motion.span>
            </AnimatePresence>
          </button>
        </motion.h1>
        <p className="mx-auto mt-6 max-w-xl text-lg text-white/60">Turn a rough idea into something people can touch, in an afternoon and without asking anyone.</p>
        <div className="mt-8 flex justify-center gap-4">
          <motion.button whileHover={{ scale: 1.04 }} onClick={() => setOpen(true)} className="group flex items-center gap-2 rounded-full bg-gradient-to-r from-fuchsia-500 to-indigo-500 px-6 py-3 font-medium shadow-lg shadow-fuchsia-500/25">
            Start for free <ArrowRight className="h-4 w-4 transition group-hover:translate-x-1" />
          </motion.button>
          <button className="rounded-full border border-white/20 px-6 py-3 font-medium text-white/80 hover:bg-white/5">Watch the film</button>
        </div>
      </motion.section>

      <motion.section id="features" variants={container} initial="hidden" whileInView="show" viewport={{ once: true }} className="relative z-10 mx-auto grid max-w-6xl gap-6 px-6 pb-24 md:grid-cols-3">
        {features.map(({ icon: Icon, title, text }) => (
          <motion.article key={title} variants={item} whileHover={{ y: -6 }} className="rounded-2xl border border-white/10 bg-white/5 p-6 backdrop-blur">
            <Icon className="mb-4 h-8 w-8 text-fuchsia-300" />
            <h3 className="text-lg font-semibold">{title}</h3>
            <p className="mt-2 text-sm leading-relaxed text-white/60">{text}</p>
          </motion.article>
        ))}
      </motion.section>

      <AnimatePresence>
        {open && (
          <motion.div className="fixed inset-0 z-20 flex items-center justify-center bg-black/60 p-6" initial={{ opacity: 0 }} animate={{ opacity: 1 }} exit={{ opacity: 0 }} onClick={() => setOpen(false)}>
            <motion.div initial={{ scale: 0.9, y: 20 }} animate={{ scale: 1, y: 0 }} exit={{ scale: 0.9, y: 20 }} onClick={(e) => e.stopPropagation()} className="w-full max-w-md rounded-2xl bg-white p-8 text-slate-900">
              <h2 className="text-2xl font-bold">Welcome aboard</h2>
              <ul className="mt-4 space-y-2 text-sm text-slate-600">
                {['14 days free', 'No card needed', 'Cancel any time'].map((t) => (
                  <li key={t} className="flex items-center gap-2"><Check className="h-4 w-4 text-emerald-500" />{t}</li>
                ))}
              </ul>
            </motion.div>
          </motion.div>
        )}
      </AnimatePresence>
    </div>
  );
}
