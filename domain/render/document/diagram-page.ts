// The page in which the worker's browser draws diagrams: ours alone, with the faces of a document. Sources come later, as
// data, to the function that its script defines.
import type { Runtime } from "@plinth/runtime/manifest";

import { documentHead } from "./document-head.ts";

export const diagramPage = ({ path }: Pick<Runtime, "path">): string => `${documentHead("Diagrams")}
<link rel="stylesheet" crossorigin href="${path}markdown.css">
<script type="module" src="${path}diagram-page.js"></script>
</head>
<body></body>
</html>
`;
