/** The largest timestamp, block number and account nonce that can be encoded. */
export const MAX_UINT64 = 2n ** 64n - 1n;
/** The largest balance, storage slot and storage value. */
export const MAX_UINT256 = 2n ** 256n - 1n;
/** The least gas limit of a block (Yellow Paper, section 4.4.4). */
export const MIN_GAS_LIMIT = 5000n;
/** The largest gas limit of a block. */
export const MAX_GAS_LIMIT = 2n ** 63n - 1n;
/** EIP-2681: the largest nonce of an account that can still send a transaction. */
export const MAX_NONCE = MAX_UINT64 - 1n;
