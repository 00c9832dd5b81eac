import { type Block, getCrypto, type Hash, type Hex, hexToBytes, toHex } from "@plinth/core";
import type { BftMessage, Dialect, Proposal, RoundChange, Sign } from "@plinth/kit-bft";

/** What a validator that lies sends to one of the others in place of a message of its own. */
export type Lie<P extends Proposal, R extends RoundChange> = (
  message: BftMessage<P, R>,
  recipient: number,
) => Promise<readonly BftMessage<P, R>[]>;

/** What every lie needs. */
export interface LiarParts<P extends Proposal, R extends RoundChange> {
  readonly dialect: Dialect<P, R>;
  readonly key: Hex;
  readonly random: () => number;
}

/** The ways to lie. */
export const LIES = [
  "silent",
  "equivocates",
  "commits twice",
  "wrong rounds",
  "forged seals",
  "floods round changes",
  "floods future heights",
  "wrong state root",
  "oversized proposals",
] as const;

/** Messages that are sent beside one that is true. */
const FLOOD = 6;

/** A validator that follows the protocol but for one thing. */
export function createLie<P extends Proposal, R extends RoundChange>(
  name: string,
  { dialect, key, random }: LiarParts<P, R>,
): Lie<P, R> {
  const sign: Sign = async (hash) => getCrypto().sign(hexToBytes(hash), hexToBytes(key));
  const dice = (bound: number) => Math.floor(random() * bound);
  const randomHash = (): Hash => toHex(Uint8Array.from({ length: 32 }, () => dice(256)));
  const sealed = async () => {
    const { r, s, recovery } = await sign(randomHash());
    return Uint8Array.of(...r, ...s, recovery);
  };
  const withBlock = async (message: P, change: (block: Block) => Block) =>
    dialect.createProposal(message, change(message.block), [], sign);
  const lies: Readonly<Record<string, Lie<P, R>>> = {
    silent: async () => [],
    async equivocates(message, recipient) {
      if (recipient % 2 === 0) return [message];
      if (message.kind === "proposal") {
        return [await withBlock(message, (block) => withHeader(block, { gasLimit: 29_999_999n }))];
      }
      if (message.kind === "prepare")
        return [await dialect.createPrepare(message, randomHash(), sign)];
      return [message];
    },
    async "commits twice"(message) {
      if (message.kind !== "commit") return [message];
      const content = { digest: randomHash(), seal: await sealed() };
      return [await dialect.createCommit(message, content, sign), message];
    },
    async "wrong rounds"(message) {
      const id = { height: message.height, round: message.round + 1 + dice(5) };
      if (message.kind === "prepare")
        return [await dialect.createPrepare(id, message.digest, sign), message];
      if (message.kind === "commit")
        return [await dialect.createCommit(id, message, sign), message];
      return [message];
    },
    async "forged seals"(message) {
      if (message.kind !== "commit") return [message];
      const seal = await sealed();
      return [await dialect.createCommit(message, { digest: message.digest, seal }, sign)];
    },
    async "floods round changes"(message) {
      const flood = Array.from({ length: FLOOD }, (_, index) =>
        dialect.createRoundChange({ height: message.height, round: index + 1 }, undefined, sign),
      );
      return [message, ...(await Promise.all(flood))];
    },
    async "floods future heights"(message) {
      const flood = Array.from({ length: FLOOD }, (_, index) =>
        dialect.createPrepare(
          { height: message.height + BigInt(index + 1), round: 0 },
          randomHash(),
          sign,
        ),
      );
      return [message, ...(await Promise.all(flood))];
    },
    async "wrong state root"(message) {
      if (message.kind !== "proposal") return [message];
      return [await withBlock(message, (block) => withHeader(block, { stateRoot: randomHash() }))];
    },
    async "oversized proposals"(message) {
      if (message.kind !== "proposal") return [message];
      const uncles = ({ header }: Block) => Array.from({ length: 300 }, () => header);
      return [
        await withBlock(message, (block) => ({
          ...block,
          body: { ...block.body, uncles: uncles(block) },
        })),
      ];
    },
  };
  const lie = lies[name];
  if (lie === undefined) throw new Error(`there is no such lie: ${name}`);
  return lie;
}

function withHeader({ header, body }: Block, changes: Partial<Block["header"]>): Block {
  return { header: { ...header, ...changes }, body };
}
