/** The entry of a thread that fills templates. */
import { serveJobs } from '#concurrency';
import { fillTexts } from './fill-texts.ts';

serveJobs(fillTexts);
