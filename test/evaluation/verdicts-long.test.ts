/** The simulations of verdicts.test.ts with twenty times as many comparisons, for `make verify`. */
process.env['VERDICT_TRIALS'] ??= '20';
await import('./verdicts.test.js');
