import {
  type Address,
  hexToBytes,
  loadCrypto,
  type Plugin,
  signTransaction as sign,
  toHex,
} from "@plinth/core";
import consensusDev from "@plinth/plugin-consensus-dev";
import evmEthereumJs from "@plinth/plugin-evm-ethereumjs";

/** The EVM that test nodes run code with. */
export const evm: Plugin = evmEthereumJs;

/** The plugins of a chain that makes a block for every transaction. */
export const devChain: readonly Plugin[] = [evmEthereumJs, consensusDev];

/** A private key that everybody knows, and its address. */
export const ALICE = {
  key: "8f2a55949038a9610f50fb23b5883af3b4ecb3c3bb792cbcefbd1542c692be63",
  address: "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73" as Address,
};

/** Somebody to send to. */
export const BOB: Address = "0x00000000000000000000000000000000000000b0";

/** The genesis file of such a chain, on which Alice has a thousand ether. */
export const DEV_GENESIS = {
  config: { chainId: 1337, londonBlock: 0, dev: {} },
  gasLimit: "0x1c9c380",
  baseFeePerGas: "0x7",
  alloc: { [ALICE.address]: { balance: "1000000000000000000000" } },
};

/** The fields of a transaction; Alice signs it. */
export interface TransactionFields {
  readonly nonce?: number;
  readonly to?: Address;
  readonly value?: bigint;
  readonly data?: string;
  readonly gasLimit?: bigint;
  readonly gasPrice?: bigint;
  readonly chainId?: bigint;
}

/** A transfer of one wei from Alice, unless the fields say otherwise. */
export function transfer(fields: TransactionFields = {}): TransactionFields {
  return { to: BOB, value: 1n, ...fields };
}

/** A signed transaction of Alice's, as `eth_sendRawTransaction` takes it (EIP-155). */
export async function signTransaction(fields: TransactionFields = {}): Promise<string> {
  const { nonce = 0, to, value = 0n, data = "", gasLimit = 21_000n } = fields;
  const { gasPrice = 1_000_000_000n, chainId = 1337n } = fields;
  await loadCrypto();
  const transaction = { chainId, nonce: BigInt(nonce), gasPrice, gasLimit, to, value };
  return toHex(sign({ ...transaction, data: bytesOf(data) }, bytesOf(ALICE.key)));
}

function bytesOf(hex: string): Uint8Array {
  return hexToBytes(hex);
}
