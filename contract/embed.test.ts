import { expect, test } from "bun:test";

import { embedCode, embedUrl, oembedUrl } from "./embed.ts";

const url = "https://plinth.example/ada/notes/report";

test("the embed page and the oEmbed answer of an artifact, and of one version", () => {
  expect(embedUrl(url)).toBe("https://plinth.example/embed/ada/notes/report");
  expect(embedUrl(`${url}?v=3`)).toBe("https://plinth.example/embed/ada/notes/report?v=3");
  expect(oembedUrl(url)).toBe(
    "https://plinth.example/api/oembed?url=https%3A%2F%2Fplinth.example%2Fada%2Fnotes%2Freport&format=json",
  );
  expect(oembedUrl(`${url}?v=3`)).toContain("report%3Fv%3D3&format=json");
});

test("a title stays a title in the embed code, with any characters in it", () => {
  const title = `"><script>alert('1')</script> & more`;
  expect(embedCode({ url, title, width: 640, height: 360 })).toBe(
    '<iframe src="https://plinth.example/embed/ada/notes/report" ' +
      'title="&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt; &amp; more" width="640" height="360" ' +
      'loading="lazy" style="border:0;max-width:100%"></iframe>',
  );
  expect(embedCode({ url, title: "Report" })).toContain('title="Report" width="800" height="600"');
});
