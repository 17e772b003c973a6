#!/usr/bin/env node
import { createRequire } from 'node:module';
import { bundledProgramModule } from './base/program-files.js';
import type * as Program from './cli/program.js';

const bundled = bundledProgramModule('cli/program');
const { program } =
  bundled === null ? await import('./cli/program.js') : (createRequire(bundled)(bundled) as typeof Program);
await program.parseAsync(process.argv);
