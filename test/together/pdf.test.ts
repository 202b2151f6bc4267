import '../pdf/support/shared-engine.ts';
import { runTogether } from '../support/run-together.ts';

runTogether('pdf');
