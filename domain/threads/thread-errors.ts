// How a task can fail without an answer of its own.

/** The task ran past its limit and its thread was ended. */
export class ThreadTimeout extends Error {
  override name = "ThreadTimeout";
}

/** The thread died under the task (stack or memory exhausted) or the task threw. */
export class ThreadFailure extends Error {
  override name = "ThreadFailure";
}
