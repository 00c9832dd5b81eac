import { simulateCall } from "./call.js";
import { estimateGas } from "./estimate-gas.js";

/** Chain queries that may take long, by name; threads find them here. */
export const coreQueries = { call: simulateCall, estimateGas } as const;
