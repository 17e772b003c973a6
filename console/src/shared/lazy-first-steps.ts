import { createElement } from 'react';
import { lazyPart } from '../components/lazy-component.js';
import { Loading } from '../components/note.js';

const loading = createElement(Loading);

/** The first steps, whose code only a server without threads or experiments needs. */
export const FirstSteps = lazyPart(async () => (await import('./first-steps.js')).FirstSteps, loading);
export const FirstThread = lazyPart(async () => (await import('./first-steps.js')).FirstThread, loading);
export const FirstExperiment = lazyPart(async () => (await import('./first-steps.js')).FirstExperiment, loading);
