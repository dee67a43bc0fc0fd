// The lines of a stream, none longer than may be held in memory.

/** Without their ends. @throws Error for a longer line */
export async function* boundedLines(stream: AsyncIterable<Buffer>, longest: number): AsyncGenerator<string> {
  let held: Buffer[] = [];
  let size = 0;
  const taken = (): string => {
    const line = Buffer.concat(held).toString("utf8");
    held = [];
    size = 0;
    return line;
  };
  for await (const chunk of stream) {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      held.push(chunk.subarray(from, end));
      yield taken();
      from = end + 1;
    }
    const rest = chunk.subarray(from);
    size += rest.length;
    if (size > longest) throw new Error("A line is too long");
    held.push(rest);
  }
  if (size > 0) yield taken();
}
