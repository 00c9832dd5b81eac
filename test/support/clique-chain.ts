import {
  type Address,
  type Block,
  EMPTY_ROOT,
  getCrypto,
  type Header,
  hexToBytes,
  keccakHeader,
  loadCrypto,
  type SealedHeader,
  ZERO_ADDRESS,
  ZERO_HASH,
} from "@plinth/core";
import { NO_UNCLES_HASH } from "@plinth/core/blocks";
import type { Signature } from "@plinth/core/primitives";

const VANITY = new Uint8Array(32);
const NO_SEAL = new Uint8Array(65);
const ADD = new Uint8Array(8).fill(0xff);
const DROP = new Uint8Array(8);
const BLOOM = new Uint8Array(256);

await loadCrypto();

/** A signer with its key; published, for tests only. */
export interface TestSigner {
  readonly key: Uint8Array;
  readonly address: Address;
}

/** Ten signers in the order of their addresses. */
export const SIGNERS = Array.from({ length: 10 }, (_, index) => {
  const key = new Uint8Array(32).fill(index + 1);
  return { key, address: getCrypto().addressOf(getCrypto().publicKeyOf(key)) };
}).sort((a, b) => (a.address < b.address ? -1 : 1)) as unknown as readonly [
  TestSigner,
  TestSigner,
  TestSigner,
  ...TestSigner[],
];

/** A genesis file of a Clique chain. */
export function cliqueGenesis({
  signers,
  clique = { blockperiodseconds: 1 },
  ...more
}: {
  readonly signers: readonly TestSigner[];
  readonly clique?: object;
  readonly config?: object;
  readonly alloc?: object;
  /** Seconds since 1970. */
  readonly timestamp?: number;
}): object {
  return {
    config: { chainId: 1337, berlinBlock: 0, clique, ...more.config },
    difficulty: "0x1",
    gasLimit: "0x1c9c380",
    timestamp: `0x${(more.timestamp ?? 0).toString(16)}`,
    extraData: `0x${Buffer.from(extraDataOf(signers)).toString("hex")}`,
    alloc: more.alloc ?? {},
  };
}

/** The inputs of a test block; omitted values are those of a valid block without transactions. */
export interface BlockWish {
  readonly signer: TestSigner;
  /** The signers that may sign it, in ascending order. */
  readonly members: readonly Address[];
  readonly vote?: { readonly candidate: Address; readonly kind: "add" | "drop" };
  /** Lists the members, like an epoch block. */
  readonly isEpoch?: boolean;
  readonly seconds?: bigint;
  /** Changes before the seal is added. */
  readonly change?: Partial<Header>;
}

/** A block without transactions, sealed. */
export function sealedOn(parent: SealedHeader, wish: BlockWish): Block {
  const { signer, members, vote, isEpoch = false, seconds = 1n, change } = wish;
  const number = parent.number + 1n;
  const turn = members[Number(number % BigInt(members.length))];
  return {
    header: seal(
      {
        parentHash: parent.hash,
        unclesHash: NO_UNCLES_HASH,
        coinbase: vote?.candidate ?? ZERO_ADDRESS,
        stateRoot: parent.stateRoot,
        transactionsRoot: EMPTY_ROOT,
        receiptsRoot: EMPTY_ROOT,
        logsBloom: BLOOM,
        difficulty: turn === signer.address ? 2n : 1n,
        number,
        gasLimit: parent.gasLimit,
        gasUsed: 0n,
        timestamp: parent.timestamp + seconds,
        extraData: extraDataOf(isEpoch ? members.map((address) => ({ address })) : []),
        mixHash: ZERO_HASH,
        nonce: vote?.kind === "add" ? ADD : DROP,
        ...change,
      },
      signer,
    ),
    body: { transactions: [], uncles: [] },
  };
}

/** The header with the seal of a signer in the last 65 bytes of its extra data. */
export function seal(header: Header, { key }: TestSigner): Header {
  const unsealed = header.extraData.slice(0, -NO_SEAL.length);
  const hash = keccakHeader(header, unsealed);
  const { r, s, recovery } = getCrypto().sign(hexToBytes(hash), key);
  return { ...header, extraData: Uint8Array.of(...unsealed, ...r, ...s, recovery) };
}

/** Vanity, signers and space for a seal. */
export function extraDataOf(signers: readonly Pick<TestSigner, "address">[]): Uint8Array {
  const listed = signers.flatMap(({ address }) => [...hexToBytes(address)]);
  return Uint8Array.of(...VANITY, ...listed, ...NO_SEAL);
}

/** The signer of a header. */
export function signerOf(header: Header): Address {
  const seal = header.extraData.slice(-NO_SEAL.length);
  const hash = keccakHeader(header, header.extraData.slice(0, -NO_SEAL.length));
  const { recover, addressOf } = getCrypto();
  const signature = {
    r: seal.slice(0, 32),
    s: seal.slice(32, 64),
    recovery: seal[64] === 1 ? 1 : 0,
  };
  return addressOf(recover(hexToBytes(hash), signature as Signature));
}
