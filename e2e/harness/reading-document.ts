// A markdown document with every supported feature, and some that are not allowed.

const prose = "A page that is read in one sitting has to be quiet, its lines neither too long nor too short. ".repeat(
  12,
);
/** Its only code block. */
export const code =
  "export const answer: number = 42; // of a length that has to scroll on a small screen, however one puts it";
const large = Array.from({ length: 300 }, (_, index) => `  n${index}-->n${index + 1}`).join("\n");
/** Its sections, in order: Code, Lists and asides, Tables (of the third level), Mathematics, Diagrams, Images. */
export const document = `# The shape of a page

${prose} It has \`code\`, *emphasis*, ~~what was wrong~~, <kbd>K</kbd>, [a section](#mine) and a note.[^1]

## Code

\`\`\`ts
${code}
\`\`\`

## Lists and asides

- [x] Written
- [ ] Not yet

> [!WARNING]
> Mind the step.

<details><summary>More</summary>

${prose}

</details>

${prose}

### Tables

| ${Array.from({ length: 12 }, (_, index) => `Column ${index}`).join(" | ")} |
|${" --: |".repeat(12)}
| ${Array.from({ length: 12 }, (_, index) => `${index}00,000.00`).join(" | ")} |

## Mathematics

Euler's $e^{i\\pi} + 1 = 0$, and

$$
\\int_{-\\infty}^{\\infty} e^{-x^2} dx = \\sqrt{\\pi} + a_1 + a_2 + a_3 + a_4 + a_5 + a_6 + a_7 + a_8 + a_9 + a_{10}
$$

## Diagrams

\`\`\`mermaid
flowchart LR
  A[Author] -->|pushes| B[Instance]
  click B href "javascript:alert(1)"
\`\`\`

\`\`\`mermaid
%%{init: {"securityLevel": "loose", "themeCSS": "text { fill: red }", "maxEdges": 100000}}%%
sequenceDiagram
  A->>B: <img src=x onerror=alert(1)>
\`\`\`

\`\`\`mermaid
flowchart TD
${large}
\`\`\`

\`\`\`mermaid
this is no diagram
\`\`\`

## Images

![A dashboard](https://images.example/dashboard.png)

<p id="mine">An id of one's own, and ${"averylongword".repeat(8)}.</p>

${prose}

[^1]: It is at the end.
`;
