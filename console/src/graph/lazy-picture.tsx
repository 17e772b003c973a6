import { lazy, Suspense } from 'react';
import { Loading } from '../components/note.js';
import type { GraphPictureProps } from './graph-picture.js';

const Picture = lazy(() => import('./graph-picture.js'));

/** The library that draws graphs is loaded when there is one to draw. */
export function GraphPicture(props: GraphPictureProps) {
  return (
    <Suspense fallback={<Loading what="Drawing" />}>
      <Picture {...props} />
    </Suspense>
  );
}
