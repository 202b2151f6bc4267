export { Semaphore } from '#concurrency';
