import { simulateCall } from "@plinth/chain";
import type { BlockReader } from "@plinth/core";
import type { AccessListEntry } from "@plinth/core/blocks";
import type { EvmResult } from "@plinth/core/evm";
import { type CallRequest, type CallSettings, forGas } from "@plinth/core/query";

/** The access list of a call, and its result with that list. */
export interface FoundAccessList {
  readonly accessList: readonly AccessListEntry[];
  readonly result: EvmResult;
}

/** A list can change what a call accesses; after this many iterations it is used as it is. */
const MAX_RUNS = 8;

/** Finds the access list of a call: repeats it until the list does not change any more. */
export async function findAccessList(
  blocks: BlockReader,
  request: CallRequest,
  settings: Omit<CallSettings, "watch">,
): Promise<FoundAccessList> {
  const payable = forGas(request, settings.header);
  let announced = sorted(request.accessList ?? []);
  for (let run = 1; ; run++) {
    const result = await simulateCall(
      blocks,
      { ...payable, accessList: announced },
      { ...settings, watch: { recordsAccess: true } },
    );
    const accessList = sorted(result.accessList ?? []);
    if (run === MAX_RUNS || isSame(accessList, announced)) return { accessList, result };
    announced = accessList;
  }
}

function sorted(list: readonly AccessListEntry[]): readonly AccessListEntry[] {
  return list
    .map(({ address, storageKeys }) => ({ address, storageKeys: [...storageKeys].sort() }))
    .sort((a, b) => (a.address < b.address ? -1 : 1));
}

function isSame(a: readonly AccessListEntry[], b: readonly AccessListEntry[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
