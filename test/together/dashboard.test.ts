import { after } from 'node:test';
import { shareBrowser } from '../dashboard/open-dashboard.ts';
import { runTogether } from '../support/run-together.ts';

after(shareBrowser());
runTogether('dashboard');
