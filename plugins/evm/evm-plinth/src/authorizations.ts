import { type Address, encodeRlp, getCrypto, hexToBytes, keccak256 } from "@plinth/core";
import { type Authorization, scalarBytes } from "@plinth/core/blocks";
import { EMPTY_CODE_HASH, type WorldState } from "@plinth/core/evm";
import { bytesOfWord, toWord } from "./arithmetic/words.js";
import { delegateOf } from "./delegation.js";
import type { Substate } from "./substate.js";

/** EIP-7702: first byte of a signed authorization. */
const MAGIC = 0x05;
const DELEGATION = Uint8Array.of(0xef, 0x01, 0x00);
const ZERO_ADDRESS: Address = `0x${"00".repeat(20)}`;
/** Refund if the authority is an existing account. */
const KNOWN_ACCOUNT_REFUND = 12_500n;
const MAX_NONCE = 2n ** 64n - 1n;
/** SEC 2, section 2.4.1: half of the order of secp256k1. */
const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/** Applies authorizations, skipping invalid ones; returns the refund. */
export function authorize(
  list: readonly Authorization[],
  {
    state,
    substate,
    chainId,
  }: { readonly state: WorldState; readonly substate: Substate; readonly chainId: bigint },
): bigint {
  let refund = 0n;
  for (const authorization of list) {
    const authority = findAuthority(authorization, chainId);
    if (authority === undefined) continue;
    substate.prewarm(authority);
    const account = state.findAccount(authority);
    if (!mayDelegate(state, authority)) continue;
    if ((account?.nonce ?? 0n) !== authorization.nonce) continue;
    if (account !== undefined) refund += KNOWN_ACCOUNT_REFUND;
    state.setAccount(authority, { nonce: authorization.nonce + 1n });
    state.setCode(authority, delegationTo(authorization.address));
  }
  return refund;
}

/** Contracts cannot. */
function mayDelegate(state: WorldState, authority: Address): boolean {
  const hash = state.findAccount(authority)?.codeHash ?? EMPTY_CODE_HASH;
  return hash === EMPTY_CODE_HASH || delegateOf(state.getCode(authority)) !== undefined;
}

/** The zero address removes a delegation. */
function delegationTo(address: Address): Uint8Array {
  if (address === ZERO_ADDRESS) return new Uint8Array();
  return Uint8Array.from([...DELEGATION, ...hexToBytes(address)]);
}

function findAuthority(authorization: Authorization, ownId: bigint): Address | undefined {
  const { chainId, address, nonce, yParity, r, s } = authorization;
  if (chainId !== 0n && chainId !== ownId) return undefined;
  if (nonce >= MAX_NONCE || yParity > 1n || s > HALF_ORDER) return undefined;
  const fields = encodeRlp([scalarBytes(chainId), hexToBytes(address), scalarBytes(nonce)]);
  const hash = keccak256(Uint8Array.from([MAGIC, ...fields]));
  const { recover, addressOf } = getCrypto();
  const signature = {
    r: bytesOfWord(toWord(r)),
    s: bytesOfWord(toWord(s)),
    recovery: yParity === 0n ? 0 : 1,
  } as const;
  try {
    return addressOf(recover(hash, signature));
  } catch (error) {
    // The curve's error for a signature that belongs to no key.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
