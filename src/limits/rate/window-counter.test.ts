import { createMemoryWindowCounter } from '../index.ts';
import { describeWindowCounter, MAX_KEYS } from '../../../test/support/window-counter-contract.ts';

describeWindowCounter('memory', () => createMemoryWindowCounter(MAX_KEYS));
