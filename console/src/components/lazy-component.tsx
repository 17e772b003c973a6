import { lazy, Suspense, type ComponentType, type ReactNode } from 'react';
import { ChunkLoadError } from './chunk-load-error.js';

/** A page whose code is loaded when it is first shown. `load` resolves to the component. */
export function lazyPage<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const component = lazy(async () => {
    try {
      return { default: await load() };
    } catch (error) {
      throw new ChunkLoadError(error);
    }
  });
  // React's type for components with a `ref` does not fit a type parameter.
  return component as unknown as ComponentType<Props>;
}

/** A part of a page, such as a dialog, whose code is loaded when it is first shown. The page stays as it is. */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: ReactNode = null,
): ComponentType<Props> {
  const Part = lazyPage(load);
  return function LazyPart(props) {
    return (
      <Suspense fallback={fallback}>
        <Part {...props} />
      </Suspense>
    );
  };
}
