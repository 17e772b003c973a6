import { readFileSync } from 'node:fs';
import { staticFile } from '../base/places.js';
import type { Reply } from './route.js';

/** The API page is swagger-ui's; its files come from its package, so the page works without internet. Addresses are relative: there may be a prefix. */
const TYPES: Record<string, string> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'page.js': 'text/javascript; charset=utf-8',
};

export const DOCS_FILES = Object.keys(TYPES);

export const DOCS_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:">
<title>Threadmill API</title>
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<div id="api"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/page.js"></script>
</body>
</html>
`;

const PAGE_JS = `SwaggerUIBundle({ url: 'openapi.json', dom_id: '#api', deepLinking: true, defaultModelsExpandDepth: 0, validatorUrl: null });\n`;

const loaded = new Map<string, Buffer>();

export function docsFile(name: string): Reply {
  let bytes = loaded.get(name);
  if (bytes === undefined) {
    bytes = name === 'page.js' ? Buffer.from(PAGE_JS) : readFileSync(staticFile('swagger-ui-dist', name));
    loaded.set(name, bytes);
  }
  return { status: 200, body: bytes, contentType: TYPES[name]!, headers: { 'cache-control': 'public, max-age=3600' } };
}
