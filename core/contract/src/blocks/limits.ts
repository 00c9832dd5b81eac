/** Maximum timestamp, block number and account nonce. */
export const MAX_UINT64 = 2n ** 64n - 1n;
/** Maximum balance, storage slot and storage value. */
export const MAX_UINT256 = 2n ** 256n - 1n;
/** Minimum gas limit of a block (Yellow Paper, section 4.4.4). */
export const MIN_GAS_LIMIT = 5000n;
/** Maximum gas limit of a block. */
export const MAX_GAS_LIMIT = 2n ** 63n - 1n;
/** EIP-2681: maximum nonce of an account that can still send a transaction. */
export const MAX_NONCE = MAX_UINT64 - 1n;
