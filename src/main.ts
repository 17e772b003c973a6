#!/usr/bin/env node
import { createRequire } from 'node:module';
import { bundledProgramModule } from './base/program-files.js';
import { setV8Flags } from './base/v8-flags.js';
import type * as Program from './cli/program.js';

// The code caches of the program were made with them.
setV8Flags();
const bundled = bundledProgramModule('cli/program');
const { program } =
  bundled === null ? await import('./cli/program.js') : (createRequire(bundled)(bundled) as typeof Program);
await program.parseAsync(process.argv);
