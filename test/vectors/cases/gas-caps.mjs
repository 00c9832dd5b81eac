import { aCase, authorize, tx, ZERO_ADDRESS } from "./build.mjs";

const gasCap = (fork) => (name, transactions) => aCase({ name, eip: 7825, fork, transactions });
/** EIP-7825: maximum gas of a transaction; before Osaka there is no such limit. */
export const gasCaps = (fork) => [
  gasCap(fork)("a transaction of 2^24 gas", [tx({ to: ZERO_ADDRESS, gasLimit: 2n ** 24n })]),
  gasCap(fork)("a transaction of one gas more", [
    tx({ to: ZERO_ADDRESS, gasLimit: 2n ** 24n + 1n }),
  ]),
  gasCap(fork)("a transaction with a list and one gas more", [
    tx({ to: ZERO_ADDRESS, gasLimit: 2n ** 24n + 1n, authorizations: [authorize({})] }),
  ]),
  gasCap(fork)("a creation of one gas more, then a transfer", [
    tx({ to: undefined, gasLimit: 2n ** 24n + 1n }),
    tx({ to: ZERO_ADDRESS, gasLimit: 21_000n }),
  ]),
];
