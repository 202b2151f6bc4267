import { describeFailureThrottle } from '../../../test/support/failure-throttle-contract.ts';
import { createMemoryFailureCounts } from './failure-counts.ts';

describeFailureThrottle('memory', createMemoryFailureCounts);
