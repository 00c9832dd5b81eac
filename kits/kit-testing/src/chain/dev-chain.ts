import { type Address, hexToBytes, loadCrypto, type Plugin, toHex } from "@plinth/core";
import { signTransaction as sign } from "@plinth/core/blocks";
import consensusDev from "@plinth/plugin-consensus-dev";
import { evms } from "../test-evm.js";
import { ACCOUNTS, ALICE, BOB, type TestAccount } from "./accounts.js";

/** The plugins of a chain that produces a block for every transaction. */
export const devChain: readonly Plugin[] = [...evms, consensusDev];

/** The genesis file of such a chain, on which every test account has a thousand ether. */
export const DEV_GENESIS = {
  config: { chainId: 1337, londonBlock: 0, dev: {} },
  gasLimit: "0x1c9c380",
  baseFeePerGas: "0x7",
  alloc: Object.fromEntries(
    ACCOUNTS.map(({ address }) => [address, { balance: "1000000000000000000000" }]),
  ),
};

/** The fields of a transaction. */
export interface TransactionFields {
  /** The signer; Alice by default. */
  readonly from?: TestAccount;
  readonly nonce?: number;
  readonly to?: Address;
  readonly value?: bigint;
  readonly data?: string;
  readonly gasLimit?: bigint;
  readonly gasPrice?: bigint;
  readonly chainId?: bigint;
}

/** A transfer of one wei, by default from Alice. */
export function transfer(fields: TransactionFields = {}): TransactionFields {
  return { to: BOB, value: 1n, ...fields };
}

/** A signed transaction for `eth_sendRawTransaction` (EIP-155). */
export async function signTransaction(fields: TransactionFields = {}): Promise<string> {
  const { from = ALICE, nonce = 0, to, value = 0n, data = "", gasLimit = 21_000n } = fields;
  const { gasPrice = 1_000_000_000n, chainId = 1337n } = fields;
  await loadCrypto();
  const transaction = { chainId, nonce: BigInt(nonce), gasPrice, gasLimit, to, value };
  return toHex(sign({ ...transaction, data: bytesOf(data) }, bytesOf(from.key)));
}

function bytesOf(hex: string): Uint8Array {
  return hexToBytes(hex);
}
