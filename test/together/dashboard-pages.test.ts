import { runTogether } from '../support/run-together.ts';

runTogether('dashboard-pages');
