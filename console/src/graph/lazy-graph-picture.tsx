import { lazy, Suspense } from 'react';
import { Loading } from '../components/note.js';
import type { GraphPictureProps } from './graph-picture.js';

const Picture = lazy(() => import('./graph-picture.js'));

/** Loads the drawing library on first use. */
export function GraphPicture(props: GraphPictureProps) {
  return (
    <Suspense fallback={<Loading what="Drawing the graph" />}>
      <Picture {...props} />
    </Suspense>
  );
}
