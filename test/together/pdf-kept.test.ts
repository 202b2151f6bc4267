import { runTogether } from '../support/run-together.ts';

runTogether('pdf-kept');
