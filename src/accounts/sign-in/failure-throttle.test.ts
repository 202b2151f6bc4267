import { describeFailureThrottle } from '../../../test/support/failure-throttle-contract.ts';
import { createMemoryFailureCounts } from './failure-throttle.ts';

describeFailureThrottle('memory', createMemoryFailureCounts);
