// The marks that models leave in a text for citations which their own pages show as links: `【12†source】`,
// `:contentReference[oaicite:0]{index=0}`, `cite` and `turn0search1` between characters of private use. They are not shown.

const mark =
  /[ \t]?(?:【\d{1,4}(?::\d{1,4})?†[^【】\n]{0,100}】|:contentReference\[oaicite:\d{1,4}\](?:\{index=\d{1,4}\})?|\uE200(?:file)?cite[^\uE200\uE201\n]{0,400}\uE201)/g;

export const withoutCitationMarks = (text: string): string => text.replaceAll(mark, "");
