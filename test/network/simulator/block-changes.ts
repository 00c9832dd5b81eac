import { type Address, type Block, decodeRlp, encodeRlp, type Rlp, RlpError } from "@plinth/core";
import type { BftExtraData, BftExtraDataCodec } from "@plinth/kit-bft";
import { type ChainForm, withCommitments } from "./simulated-chain.js";

/** The inputs of a change. */
export interface BlockChangeParts extends Pick<ChainForm, "codec"> {
  /** A random number below a bound. */
  readonly dice: (bound: number) => number;
  /** The addresses of the validators. */
  readonly validators: readonly Address[];
  /** A seal of the liar; its block does not matter. */
  readonly seal: Uint8Array;
}

/** A block with one wrong part. */
export type BlockChange = (block: Block, parts: BlockChangeParts) => Block;

const STRANGER: Address = `0x${"77".repeat(20)}`;
const MAX_ROUND = 2 ** 31 - 1;

/**
 * The ways in which a header can be wrong, or unusual. Seals and spare bytes change no hash; the
 * others do.
 */
export const HEADER_CHANGES = {
  "strange rounds": (block, parts) =>
    withExtraData(block, parts, ({ round }) => ({
      round: pick([0, round, round + 1, 7, MAX_ROUND], parts.dice),
    })),
  "early seals": (block, parts) =>
    withExtraData(block, parts, () => ({
      seals: Array.from({ length: 1 + parts.dice(5) }, () => parts.seal),
    })),
  "spare bytes": (block, { dice, codec }) => {
    const { header, body } = block;
    const items = decodeRlp(header.extraData) as readonly Rlp[];
    const spare = Buffer.alloc(pick([1, 100, 900, 5000], dice), 7);
    const extraData = encodeRlp([...items, spare]);
    return isReadable(extraData, codec) ? { header: { ...header, extraData }, body } : block;
  },
  "other validators": (block, parts) =>
    withExtraData(block, parts, ({ validators }) => ({
      validators: pick(
        [
          validators.slice(1),
          [...validators, STRANGER],
          validators.toReversed(),
          [...validators, ...validators.slice(-1)],
          [],
        ],
        parts.dice,
      ),
    })),
  "strange timestamps": ({ header, body }, { dice }) => ({
    header: { ...header, timestamp: header.timestamp + BigInt(pick([-1, 1, 2, 1000], dice)) },
    body,
  }),
  "other coinbases": ({ header, body }, { dice, validators }) => ({
    header: { ...header, coinbase: pick([...validators, STRANGER], dice) },
    body,
  }),
  "uncles that the header has": ({ header, body }) =>
    withCommitments({ header, body: { ...body, uncles: [header] } }),
  "another vanity": (block, parts) =>
    withExtraData(block, parts, () => ({ vanity: Buffer.alloc(32, 9) })),
} as const satisfies Readonly<Record<string, BlockChange>>;

/** A random one of several. */
export function pick<T>(items: readonly T[], dice: (bound: number) => number): T {
  const item = items[dice(items.length)];
  if (item === undefined) throw new Error("nothing to pick from");
  return item;
}

/** Not every engine allows more after the seals. */
function isReadable(extraData: Uint8Array, codec: BftExtraDataCodec): boolean {
  try {
    codec.decode(extraData);
    return true;
  } catch (error) {
    if (error instanceof RlpError) return false;
    throw error;
  }
}

function withExtraData(
  { header, body }: Block,
  { codec }: BlockChangeParts,
  change: (data: BftExtraData) => Partial<BftExtraData>,
): Block {
  const data = codec.decode(header.extraData);
  return { header: { ...header, extraData: codec.encode({ ...data, ...change(data) }) }, body };
}
