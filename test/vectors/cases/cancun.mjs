import { beaconRoots } from "./beacon-roots.mjs";
import { historyBefore } from "./history.mjs";
import { transactions } from "./transactions.mjs";

const fork = "Cancun";

/** Blocks under the rules of Cancun. */
export const cases = [...beaconRoots(fork), ...transactions(fork), ...historyBefore(fork)];
