export { VERSION } from './places.js';
