// The words that comments, test names and documents don't use, each with its replacement (`scripts/prose.ts`). An entry
// must be wrong in every sentence, because the search does not understand the sentence.

export interface RefusedWord {
  /** A regular expression, matched in any case between word boundaries; a space matches any white space. */
  readonly pattern: string;
  /** What the message tells the author to write. */
  readonly instead: string;
}

const noun = "the noun: the caller, the reader, the admin, the process, you";

export const refusedWords: readonly RefusedWord[] = [
  // Pronouns that hide who acts.
  { pattern: "who(?:so)?ever|whomever", instead: noun },
  { pattern: "(?:some|no|any|every)body", instead: noun },
  { pattern: "someone", instead: noun },
  { pattern: "whatever", instead: 'the noun, or "any" with the noun' },
  { pattern: "(?<!no )such(?! as| an?)", instead: 'the noun, or "this" or "these" with the noun' },
  {
    pattern: "of (?:its|their|his|her|your|one's) own",
    instead: '"its own" before the noun, "separate" or "dedicated"',
  },
  { pattern: "asker", instead: "caller" },
  { pattern: "insiders?", instead: "member" },
  // Dated or foreign idioms.
  { pattern: "anew", instead: "again, or a new object with its noun" },
  { pattern: "for ever", instead: "forever, without a limit, never expires" },
  { pattern: "meanwhile", instead: '"while" or "at the same time" with what happens' },
  { pattern: "(?:is|are|was|were|be|been|being) let", instead: "can, or is allowed to" },
  { pattern: "t(?:ake|akes|aking|aken|ook) away", instead: "delete, remove, revoke" },
  { pattern: "br(?:ing|ings|inging|ought) back", instead: "restore" },
  { pattern: "clear(?:s|ed|ing)? away", instead: "delete, move to the trash" },
  { pattern: "noted", instead: "recorded" },
  // Metaphors that have a standard term.
  { pattern: "painters?", instead: "renderer" },
  { pattern: "painted|repainted", instead: "captured, rendered" },
  { pattern: "pictures?", instead: "screenshot, image" },
  { pattern: "studios?", instead: "browser process, demo workspace" },
  { pattern: "caged?|cages", instead: "sandbox" },
  { pattern: "ways out", instead: "network egress" },
  { pattern: "nudge[sd]?|nudging", instead: "wake" },
  { pattern: "announce[sd]?|announcing|announcements?", instead: "publish, emit" },
  { pattern: "hears?|heard|hearing", instead: "receive, listen, learn" },
  { pattern: "deaf|deafen(?:s|ed|ing)?", instead: "unsubscribe" },
  { pattern: "lanes?", instead: "queue" },
  { pattern: "patience|patient(?:ly)?", instead: "retry policy, timeout" },
  { pattern: "tall(?:y|ies)", instead: "counter" },
  { pattern: "floors?", instead: "baseline, lower bound" },
  { pattern: "campaigns?", instead: "stress test, soak, fuzz, chaos" },
  { pattern: "illness(?:es)?", instead: "violation of an invariant" },
  { pattern: "worlds?", instead: "test context, fixture" },
  { pattern: "scenes?", instead: "fixture" },
  { pattern: "oracles?", instead: "reference model, expected results" },
  { pattern: "(?:stripe|stripe's|the|a|this|each) doubles?", instead: "fake" },
  { pattern: "by two hands|both hands", instead: "pointer and keyboard" },
];

/** A clause in place of a noun, at the head of a sentence that is no question. */
export const refusedSubject = {
  pattern: "What (?:is|was|are|were|has been|have been)(?![^.?!]*\\?)",
  instead: "the noun as the subject",
};
