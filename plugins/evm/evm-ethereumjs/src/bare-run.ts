import type { Block } from "@ethereumjs/block";
import { EVMError, type EVMResult } from "@ethereumjs/evm";
import { createAddressFromBigInt, createAddressFromString } from "@ethereumjs/util";
import type { VM } from "@ethereumjs/vm";
import { type Address, toHex } from "@plinth/core";
import type { BareRun, Message } from "@plinth/core/evm";

const SELFDESTRUCT = 0xff;
const ADDRESS_BITS = 160;

/** Parts of the EVM that a bare run replaces; EthereumJS has no option for them. */
interface Inside {
  readonly _opcodeMap: readonly { opHandler: Handler }[];
  _generateAddress(message: CreatingMessage): Promise<ReturnType<typeof createAddressFromString>>;
}
interface CreatingMessage {
  readonly depth: number;
}
type Handler = (
  state: { readonly stack: { peek(count: number): bigint[] } },
  ...others: unknown[]
) => unknown;

/** Runs only the code of a message, without a transaction. */
export async function runBare(
  vm: VM,
  {
    message,
    bare,
    block,
  }: { readonly message: Message; readonly bare: BareRun; readonly block: Block },
): Promise<EVMResult> {
  const { evm } = vm;
  const { journal } = evm;
  const inside = evm as unknown as Inside;
  const generateAddress = inside._generateAddress;
  const caller = createAddressFromString(message.from);
  const to = message.to === undefined ? undefined : createAddressFromString(message.to);
  journal.cleanJournal();
  for (const address of [message.from, message.to, ...precompilesOf(vm)]) {
    if (address !== undefined) journal.addAlwaysWarmAddress(address.slice(2));
  }
  inside._generateAddress = async (creating) =>
    creating.depth === 0 && bare.contractAddress !== undefined
      ? createAddressFromString(bare.contractAddress)
      : generateAddress.call(evm, creating);
  try {
    return await evm.runCall({
      caller,
      origin: caller,
      ...(to === undefined ? {} : { to }),
      data: message.data,
      value: message.value,
      gasLimit: message.gasLimit,
      gasPrice: message.maxFeePerGas,
      block,
      skipNonceIncrement: true,
    });
  } finally {
    inside._generateAddress = generateAddress;
    // Not `cleanup`, which would remove accounts that were touched and are empty.
    journal.cleanJournal();
  }
}

/** Ends a frame that self-destructs in favor of a read-only account. */
export function guardBeneficiaries({ evm }: VM, isReadOnly: (address: Address) => boolean): void {
  const entry = (evm as unknown as Inside)._opcodeMap[SELFDESTRUCT];
  if (entry === undefined) return;
  const { opHandler } = entry;
  entry.opHandler = (state, ...others) => {
    const [beneficiary = 0n] = state.stack.peek(1);
    const address = createAddressFromBigInt(BigInt.asUintN(ADDRESS_BITS, beneficiary));
    if (isReadOnly(toHex(address.bytes))) {
      throw new EVMError(EVMError.errorMessages.STATIC_STATE_CHANGE);
    }
    return opHandler(state, ...others);
  };
}

function precompilesOf(vm: VM): readonly string[] {
  const { precompiles } = vm.evm as { precompiles?: ReadonlyMap<string, unknown> };
  return [...(precompiles?.keys() ?? [])].map((name) => `0x${name}`);
}
