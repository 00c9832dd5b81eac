import { bls } from "./bls.mjs";
import { calldata } from "./calldata.mjs";
import { delegations } from "./delegations.mjs";
import { history } from "./history.mjs";
import { moreBlobs } from "./more-blobs.mjs";
import { allRequests, consolidations, deposits, withdrawals } from "./requests.mjs";

/** Blocks under the rules of Prague. */
export const cases = [
  ...bls,
  ...history,
  ...deposits,
  ...withdrawals,
  ...consolidations,
  ...allRequests,
  ...calldata,
  ...moreBlobs,
  ...delegations,
];
