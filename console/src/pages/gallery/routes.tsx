export { GalleryPage as default } from './gallery-page.js';
