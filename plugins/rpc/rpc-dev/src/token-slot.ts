import { type Address, type Hash, hexToBytes, RpcError, toHex } from "@plinth/core";
import { differencesOf, toRpcError } from "@plinth/kit-rpc";
import type { Dev } from "./dev.js";

/** A function of a token that reads one word of its storage. */
export interface TokenGetter {
  readonly token: Address;
  /** `balanceOf(address)` and so on, for messages. */
  readonly signature: string;
  /** Selector and arguments. */
  readonly data: string;
}

const CALL_GAS = 10_000_000n;
/** A getter reads a few words; checking each takes a call. */
const MAX_SLOTS = 64;
/** The lookup completes even if its caller leaves. */
const NEVER = new AbortController().signal;
/** A value that no balance has by chance. */
const PROBE = 0x1f00ba5f00ba5f00ba5f00ban;

/** Finds the word that a getter of a token returns: the one whose change changes the result. */
export async function findTokenSlot(
  getter: TokenGetter,
  dev: Dev,
): Promise<{ readonly address: Address; readonly slot: Hash }> {
  const { accessList = [] } = await call(getter, dev);
  const read = accessList.flatMap(({ address, storageKeys }) =>
    storageKeys.map((slot) => ({ address, slot })),
  );
  for (const place of read.slice(0, MAX_SLOTS)) {
    const { returnValue } = await call(getter, dev, place);
    if (returnValue.length === 32 && BigInt(toHex(returnValue)) === PROBE) return place;
  }
  throw new RpcError(
    -32000,
    `token: ${getter.token}: no word of storage determines the result of ${getter.signature}`,
  );
}

/** Calls the getter, optionally with the probe in a slot. */
async function call(
  { token, data }: TokenGetter,
  { blocks, compatibility, query }: Dev,
  probe?: { readonly address: Address; readonly slot: Hash },
) {
  const header = blocks.head();
  const request = { to: token, data: hexToBytes(data), value: 0n, gas: CALL_GAS };
  const overrides = probe && {
    stateOverrides: new Map([[probe.address, { stateDiff: new Map([[probe.slot, PROBE]]) }]]),
  };
  const settings = {
    header,
    gasLimit: CALL_GAS,
    rules: differencesOf(compatibility).calls,
    watch: { recordsAccess: true },
    ...overrides,
  };
  try {
    return await query.call(request, settings, { closed: NEVER });
  } catch (error) {
    throw toRpcError(error, { compatibility, isDetailed: true });
  }
}
