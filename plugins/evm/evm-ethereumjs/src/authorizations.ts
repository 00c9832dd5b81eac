import { toQuantity } from "@plinth/core";
import type { Authorization } from "@plinth/core/blocks";

/** A list of authorizations (EIP-7702) in EthereumJS's form. */
export function toAuthorizations(list: readonly Authorization[]) {
  return list.map(({ chainId, address, nonce, yParity, r, s }) => ({
    chainId: toQuantity(chainId),
    address,
    nonce: toQuantity(nonce),
    yParity: toQuantity(yParity),
    r: toQuantity(r),
    s: toQuantity(s),
  }));
}
