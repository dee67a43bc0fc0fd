import { expect, test } from "bun:test";

import { createConfirm, type Confirmation } from "./confirmations.ts";

test("confirmations that come while some are being sent share the next statement, and an error ends only their own", async () => {
  const sent: (readonly Confirmation[])[] = [];
  const answers: PromiseWithResolvers<void>[] = [];
  const confirm = createConfirm((together) => {
    sent.push(together);
    const answer = Promise.withResolvers<void>();
    answers.push(answer);
    return answer.promise;
  });
  const first = confirm("a", 1);
  await Promise.resolve();
  const later = [confirm("b", 1), confirm("a", 2), confirm("c", 7)];
  answers[0]?.reject(new Error("lost"));
  expect(first).rejects.toThrow("lost");
  await Promise.allSettled([first]);
  await Promise.resolve();
  answers[1]?.resolve();
  await Promise.all(later);
  expect(sent).toEqual([
    [{ writer: "a", number: 1 }],
    [
      { writer: "b", number: 1 },
      { writer: "a", number: 2 },
      { writer: "c", number: 7 },
    ],
  ]);
});
