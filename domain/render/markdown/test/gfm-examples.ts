// The examples of the extensions in the GitHub Flavored Markdown Spec 0.29 (github.github.com/gfm, CC BY-SA 4.0).
// Data for tests alone; the examples it shares with CommonMark are that specification's, and newer there.

export interface GfmExample {
  readonly section: "table" | "task list" | "strikethrough" | "autolink" | "disallowed raw HTML";
  readonly markdown: string;
  readonly html: string;
}

const table = (markdown: string, html: string): GfmExample => ({ section: "table", markdown, html });
const autolink = (markdown: string, html: string): GfmExample => ({ section: "autolink", markdown, html });
const row = (tag: string, ...cells: readonly string[]): string =>
  `<tr>\n${cells.map((cell) => `<${tag}>${cell}</${tag}>\n`).join("")}</tr>\n`;
const head = (...cells: readonly string[]): string => `<table>\n<thead>\n${row("th", ...cells)}</thead>\n`;

export const gfmExamples: readonly GfmExample[] = [
  table(
    "| foo | bar |\n| --- | --- |\n| baz | bim |\n",
    `${head("foo", "bar")}<tbody>\n${row("td", "baz", "bim")}</tbody>\n</table>\n`,
  ),
  table(
    "| abc | defghi |\n:-: | -----------:\nbar | baz\n",
    '<table>\n<thead>\n<tr>\n<th align="center">abc</th>\n<th align="right">defghi</th>\n</tr>\n</thead>\n<tbody>\n' +
      '<tr>\n<td align="center">bar</td>\n<td align="right">baz</td>\n</tr>\n</tbody>\n</table>\n',
  ),
  table(
    "| f\\|oo  |\n| ------ |\n| b `\\|` az |\n| b **\\|** im |\n",
    `${head("f|oo")}<tbody>\n${row("td", "b <code>|</code> az")}${row("td", "b <strong>|</strong> im")}</tbody>\n</table>\n`,
  ),
  table(
    "| abc | def |\n| --- | --- |\n| bar | baz |\n> bar\n",
    `${head("abc", "def")}<tbody>\n${row("td", "bar", "baz")}</tbody>\n</table>\n<blockquote>\n<p>bar</p>\n</blockquote>\n`,
  ),
  table(
    "| abc | def |\n| --- | --- |\n| bar | baz |\nbar\n\nbar\n",
    `${head("abc", "def")}<tbody>\n${row("td", "bar", "baz")}${row("td", "bar", "")}</tbody>\n</table>\n<p>bar</p>\n`,
  ),
  table(
    "| abc | def |\n| --- | --- |\n| bar | baz |\nbar\n===\n",
    `${head("abc", "def")}<tbody>\n${row("td", "bar", "baz")}${row("td", "bar", "")}${row("td", "===", "")}</tbody>\n</table>\n`,
  ),
  table("| abc | def |\n| --- |\n| bar |\n", "<p>| abc | def |\n| --- |\n| bar |</p>\n"),
  table(
    "| abc | def |\n| --- | --- |\n| bar |\n| bar | baz | boo |\n",
    `${head("abc", "def")}<tbody>\n${row("td", "bar", "")}${row("td", "bar", "baz")}</tbody>\n</table>\n`,
  ),
  table("| abc | def |\n| --- | --- |\n", `${head("abc", "def")}</table>\n`),
  {
    section: "task list",
    markdown: "- [ ] foo\n- [x] bar\n",
    html:
      '<ul>\n<li><input disabled="" type="checkbox"> foo</li>\n' +
      '<li><input checked="" disabled="" type="checkbox"> bar</li>\n</ul>\n',
  },
  {
    section: "task list",
    markdown: "- [x] foo\n  - [ ] bar\n  - [x] baz\n- [ ] bim\n",
    html:
      '<ul>\n<li><input checked="" disabled="" type="checkbox"> foo\n<ul>\n' +
      '<li><input disabled="" type="checkbox"> bar</li>\n<li><input checked="" disabled="" type="checkbox"> baz</li>\n' +
      '</ul>\n</li>\n<li><input disabled="" type="checkbox"> bim</li>\n</ul>\n',
  },
  {
    section: "strikethrough",
    markdown: "~~Hi~~ Hello, ~there~ world!\n",
    html: "<p><del>Hi</del> Hello, <del>there</del> world!</p>\n",
  },
  {
    section: "strikethrough",
    markdown: "This ~~has a\n\nnew paragraph~~.\n",
    html: "<p>This ~~has a</p>\n<p>new paragraph~~.</p>\n",
  },
  { section: "strikethrough", markdown: "This will ~~~not~~~ strike.\n", html: "<p>This will ~~~not~~~ strike.</p>\n" },
  autolink("www.commonmark.org\n", '<p><a href="http://www.commonmark.org">www.commonmark.org</a></p>\n'),
  autolink(
    "Visit www.commonmark.org/help for more information.\n",
    '<p>Visit <a href="http://www.commonmark.org/help">www.commonmark.org/help</a> for more information.</p>\n',
  ),
  autolink(
    "Visit www.commonmark.org.\n\nVisit www.commonmark.org/a.b.\n",
    '<p>Visit <a href="http://www.commonmark.org">www.commonmark.org</a>.</p>\n' +
      '<p>Visit <a href="http://www.commonmark.org/a.b">www.commonmark.org/a.b</a>.</p>\n',
  ),
  autolink(
    "www.google.com/search?q=Markup+(business)\n\nwww.google.com/search?q=Markup+(business)))\n\n" +
      "(www.google.com/search?q=Markup+(business))\n\n(www.google.com/search?q=Markup+(business)\n",
    ["", "))", ")", ""]
      .map((after, index) => {
        const link =
          '<a href="http://www.google.com/search?q=Markup+(business)">www.google.com/search?q=Markup+(business)</a>';
        return `<p>${index > 1 ? "(" : ""}${link}${after}</p>\n`;
      })
      .join(""),
  ),
  autolink(
    "www.google.com/search?q=(business))+ok\n",
    '<p><a href="http://www.google.com/search?q=(business))+ok">www.google.com/search?q=(business))+ok</a></p>\n',
  ),
  autolink(
    "www.google.com/search?q=commonmark&hl=en\n\nwww.google.com/search?q=commonmark&hl;\n",
    '<p><a href="http://www.google.com/search?q=commonmark&amp;hl=en">www.google.com/search?q=commonmark&amp;hl=en</a></p>\n' +
      '<p><a href="http://www.google.com/search?q=commonmark">www.google.com/search?q=commonmark</a>&amp;hl;</p>\n',
  ),
  autolink(
    "www.commonmark.org/he<lp\n",
    '<p><a href="http://www.commonmark.org/he">www.commonmark.org/he</a>&lt;lp</p>\n',
  ),
  autolink(
    "http://commonmark.org\n\n(Visit https://encrypted.google.com/search?q=Markup+(business))\n\n" +
      "Anonymous FTP is available at ftp://foo.bar.baz.\n",
    '<p><a href="http://commonmark.org">http://commonmark.org</a></p>\n<p>(Visit ' +
      '<a href="https://encrypted.google.com/search?q=Markup+(business)">https://encrypted.google.com/search?q=Markup+(business)</a>)</p>\n' +
      '<p>Anonymous FTP is available at <a href="ftp://foo.bar.baz">ftp://foo.bar.baz</a>.</p>\n',
  ),
  autolink("foo@bar.baz\n", '<p><a href="mailto:foo@bar.baz">foo@bar.baz</a></p>\n'),
  autolink(
    "hello@mail+xyz.example isn't valid, but hello+xyz@mail.example is.\n",
    "<p>hello@mail+xyz.example isn't valid, but " +
      '<a href="mailto:hello+xyz@mail.example">hello+xyz@mail.example</a> is.</p>\n',
  ),
  autolink(
    "a.b-c_d@a.b\n\na.b-c_d@a.b.\n\na.b-c_d@a.b-\n\na.b-c_d@a.b_\n",
    '<p><a href="mailto:a.b-c_d@a.b">a.b-c_d@a.b</a></p>\n<p><a href="mailto:a.b-c_d@a.b">a.b-c_d@a.b</a>.</p>\n' +
      "<p>a.b-c_d@a.b-</p>\n<p>a.b-c_d@a.b_</p>\n",
  ),
  {
    section: "disallowed raw HTML",
    markdown:
      "<strong> <title> <style> <em>\n\n<blockquote>\n  <xmp> is disallowed.  <XMP> is also disallowed.\n</blockquote>\n",
    html:
      "<p><strong> &lt;title> &lt;style> <em></p>\n<blockquote>\n" +
      "  &lt;xmp> is disallowed.  &lt;XMP> is also disallowed.\n</blockquote>\n",
  },
];
