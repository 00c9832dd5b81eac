import { beaconRoots } from "./beacon-roots.mjs";
import { bls } from "./bls.mjs";
import { calldata } from "./calldata.mjs";
import { delegations } from "./delegations.mjs";
import { gasCaps } from "./gas-caps.mjs";
import { history } from "./history.mjs";
import { moreBlobs } from "./more-blobs.mjs";
import { allRequests, consolidations, deposits, withdrawals } from "./requests.mjs";
import { transactions } from "./transactions.mjs";

const fork = "Prague";

/** Blocks under the rules of Prague. */
export const cases = [
  ...bls,
  ...history(fork),
  ...beaconRoots(fork),
  ...transactions(fork),
  ...gasCaps(fork),
  ...deposits,
  ...withdrawals,
  ...consolidations,
  ...allRequests,
  ...calldata,
  ...moreBlobs,
  ...delegations,
];
