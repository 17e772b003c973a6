export { VERSION } from './program-files.js';
