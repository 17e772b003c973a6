import { readFileSync } from 'node:fs';
import { staticFile } from '../../base/program-files.js';
import type { Headers } from '../transport/request-copy.js';
import type { Reply } from '../route.js';

/**
 * The API page uses swagger-ui. Its files come from the npm package, so the page works without internet access.
 * Its URLs are relative, because the server may have a prefix.
 */
const TYPES: Record<string, string> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'page.js': 'text/javascript; charset=utf-8',
};

export const DOCS_FILES = Object.keys(TYPES);

/**
 * Other pages must not frame this page, because a click in it can call the server. `frame-ancestors` only works
 * as a header.
 */
const POLICY = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
const SECURITY_HEADERS: Headers = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
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

export const DOCS_PAGE: Reply = {
  status: 200,
  body: PAGE,
  contentType: 'text/html; charset=utf-8',
  headers: { ...SECURITY_HEADERS, 'content-security-policy': POLICY, 'cross-origin-opener-policy': 'same-origin' },
};

const PAGE_JS = `SwaggerUIBundle({ url: 'openapi.json', dom_id: '#api', deepLinking: true, defaultModelsExpandDepth: 0, validatorUrl: null });\n`;

const loaded = new Map<string, Buffer>();

export function docsFile(name: string): Reply {
  let bytes = loaded.get(name);
  if (bytes === undefined) {
    bytes = name === 'page.js' ? Buffer.from(PAGE_JS) : readFileSync(staticFile('swagger-ui-dist', name));
    loaded.set(name, bytes);
  }
  return {
    status: 200,
    body: bytes,
    contentType: TYPES[name]!,
    headers: { ...SECURITY_HEADERS, 'cache-control': 'public, max-age=3600' },
  };
}
