import { type Address, type Hash, hexToBytes, RpcError, simulateCall, toHex } from "@plinth/core";
import { differencesOf } from "@plinth/kit-rpc";
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
/** A value that no balance has by chance. */
const PROBE = 0x1f00ba5f00ba5f00ba5f00ban;

/** Finds the word that a getter of a token returns: the one whose change changes the answer. */
export async function findTokenSlot(
  getter: TokenGetter,
  dev: Dev,
): Promise<{ readonly address: Address; readonly slot: Hash }> {
  const { accessList = [] } = await call(getter, dev);
  for (const { address, storageKeys } of accessList) {
    for (const slot of storageKeys) {
      const { returnValue } = await call(getter, dev, { address, slot });
      if (returnValue.length === 32 && BigInt(toHex(returnValue)) === PROBE) {
        return { address, slot };
      }
    }
  }
  throw new RpcError(
    -32000,
    `token: ${getter.token}: no word of storage is what ${getter.signature} returns`,
  );
}

/** Calls the getter, with the probe in a slot where one is given. */
function call(
  { token, data }: TokenGetter,
  { blocks, compatibility }: Dev,
  probe?: { readonly address: Address; readonly slot: Hash },
) {
  const header = blocks.head();
  const request = { to: token, data: hexToBytes(data), value: 0n, gas: CALL_GAS };
  const overrides = probe && {
    stateOverrides: new Map([[probe.address, { stateDiff: new Map([[probe.slot, PROBE]]) }]]),
  };
  return simulateCall(blocks, request, {
    header,
    gasLimit: CALL_GAS,
    rules: differencesOf(compatibility).calls,
    watch: { recordsAccess: true },
    ...overrides,
  });
}
