declare module '*.module.css' {
  const names: Readonly<Record<string, string>>;
  export default names;
}
declare module '*.css';

/** Whether this is a development build, which has the gallery of components. */
declare const HAS_GALLERY: boolean;
