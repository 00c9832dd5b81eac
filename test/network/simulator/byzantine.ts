import {
  type Address,
  type Block,
  decodeRlp,
  encodeRlp,
  type Hash,
  RlpError,
  toHex,
} from "@plinth/core";
import type {
  BftMessage,
  Certificate,
  Commit,
  Dialect,
  Prepare,
  Proposal,
  RoundChange,
  Sign,
} from "@plinth/kit-bft";
import { type BlockChange, HEADER_CHANGES, pick } from "./block-changes.js";
import {
  isSignedPartKept,
  MESSAGE_CHANGES,
  type MessageChange,
  type MessageChangeParts,
} from "./message-changes.js";
import { BODY_CHANGES } from "./simulated-bodies.js";
import type { ChainForm } from "./simulated-chain.js";
import { signAgain, type WireForm } from "./wire-form.js";

/** A message as sent. */
export interface WireMessage {
  readonly code: number;
  readonly bytes: Uint8Array;
}

/** The recipient of a message, and whether the liar is its author or relays it. */
export interface Delivery {
  readonly recipient: number;
  readonly isOwn: boolean;
}

/** What a lying validator sends to one of the others instead of a message. */
export type Lie<P extends Proposal, R extends RoundChange> = (
  message: BftMessage<P, R>,
  delivery: Delivery,
) => Promise<readonly WireMessage[]>;

/** The inputs of every lie. */
export interface LiarParts<P extends Proposal, R extends RoundChange> extends ChainForm {
  readonly dialect: Dialect<P, R>;
  readonly wire: WireForm;
  readonly sign: Sign;
  readonly random: () => number;
  readonly validators: readonly Address[];
  /** What liars have changed; it returns when others relay it, and must not grow forever. */
  readonly changed: Set<string>;
}

/** A validator that follows the protocol except for its configured lies. */
export interface Liar<P extends Proposal, R extends RoundChange> {
  /**
   * The dialect of its node: unless a lie is for only some of the others, it believes it itself.
   */
  readonly dialect: Dialect<P, R>;
  readonly send: Lie<P, R>;
  /** The block that it returns to a requesting peer. */
  readonly blockFor: (block: Block) => Block;
}

/** Two nodes have the key of the liar, unaware of each other. */
export const TWIN = "twin";
/** The liar forgets with each crash what it has signed. */
export const AMNESIAC = "amnesiac";

/** Messages that are sent beside a true one. */
const FLOOD = 4;
/** Uncles of a block that has none. */
const OVERSIZE = 30;
const MAX_SEEN = 300;

const SENT_LIES = [
  "silent",
  "equivocates",
  "commits twice",
  "wrong rounds",
  "forged seals",
  "floods round changes",
  "floods future heights",
  "wrong state root",
  "oversized proposals",
  "gives up early",
  "claims nothing",
  "withholds proposals",
  "withholds prepares",
  "withholds commits",
  "replays",
] as const;

const BLOCK_LIES = Object.keys(HEADER_CHANGES) as readonly (keyof typeof HEADER_CHANGES)[];
const CHANGE_LIES = Object.keys(MESSAGE_CHANGES).map((name) => `changes ${name}`);

/** The ways to lie. */
export const LIES: readonly string[] = [
  ...SENT_LIES,
  ...BLOCK_LIES,
  ...CHANGE_LIES,
  "changes everything",
  "sends wrong blocks",
  TWIN,
  AMNESIAC,
];

/** Lies about agreement itself, rather than messages that are rejected at once. */
const SUBTLE_LIES = [
  "equivocates",
  "claims nothing",
  "another vanity",
  "strange rounds",
  "changes bodies",
  "changes claims",
];

/** The lies of random schedules: subtle ones are more frequent. */
export const SCHEDULED_LIES: readonly string[] = [
  ...LIES,
  ...SUBTLE_LIES,
  ...SUBTLE_LIES,
  ...SUBTLE_LIES,
];

/** A validator with one or more lies: each changes the output of the previous one. */
export function createLiar<P extends Proposal, R extends RoundChange>(
  names: readonly string[],
  parts: LiarParts<P, R>,
): Liar<P, R> {
  const lies = names.map((name) => createLie(name, parts));
  const dice = (bound: number) => Math.floor(parts.random() * bound);
  const isWrongSource = names.includes("sends wrong blocks");
  return {
    dialect: withBlockLies(names, parts),
    async send(message, delivery) {
      let messages: readonly WireMessage[] = [message];
      for (const lie of lies) {
        const changed: WireMessage[] = [];
        for (const each of messages) {
          const read = findMessage(parts.dialect, each);
          changed.push(...(read === undefined ? [each] : await lie(read, delivery)));
        }
        messages = changed;
      }
      return messages;
    },
    blockFor: ({ header, body }) =>
      isWrongSource && dice(2) === 0
        ? { header, body: pick(Object.values(BODY_CHANGES), dice)(body, header) }
        : { header, body },
  };
}

/** What a liar can decode of what it is about to send: it may have corrupted it before. */
function findMessage<P extends Proposal, R extends RoundChange>(
  dialect: Dialect<P, R>,
  { code, bytes }: WireMessage,
): BftMessage<P, R> | undefined {
  try {
    return dialect.decode(code, bytes);
  } catch (error) {
    if (error instanceof RlpError) return undefined;
    throw error;
  }
}

/** Changes every other block that the liar proposes, in the same way for all. */
function withBlockLies<P extends Proposal, R extends RoundChange>(
  names: readonly string[],
  parts: LiarParts<P, R>,
): Dialect<P, R> {
  const { dialect, random } = parts;
  const changes: readonly BlockChange[] = BLOCK_LIES.filter((name) => names.includes(name)).map(
    (name) => HEADER_CHANGES[name],
  );
  if (changes.length === 0) return dialect;
  const dice = (bound: number) => Math.floor(random() * bound);
  const withChanges = { ...parts, dice, seal: new Uint8Array(65) };
  return {
    ...dialect,
    withRound(block, round) {
      const honest = dialect.withRound(block, round);
      return dice(4) === 0 ? honest : pick(changes, dice)(honest, withChanges);
    },
  };
}

function createLie<P extends Proposal, R extends RoundChange>(
  name: string,
  parts: LiarParts<P, R>,
): Lie<P, R> {
  if (!LIES.includes(name)) throw new Error(`there is no such lie: ${name}`);
  const changes = Object.entries(MESSAGE_CHANGES).filter(
    ([kind]) => name === `changes ${kind}` || name === "changes everything",
  );
  if (changes.length > 0) {
    return changeMessages(
      parts,
      changes.map(([, change]) => change),
    );
  }
  const seen: BftMessage<P, R>[] = [];
  const lie = createSentLies(parts, seen)[name];
  return async (message, delivery) => {
    remember(seen, message);
    return lie === undefined || !delivery.isOwn ? [message] : lie(message, delivery);
  };
}

/** Changes its own messages, and the unsigned parts of relayed ones. */
function changeMessages<P extends Proposal, R extends RoundChange>(
  parts: LiarParts<P, R>,
  changes: readonly MessageChange[],
): Lie<P, R> {
  const { wire, sign, random, changed: known } = parts;
  const dice = (bound: number) => Math.floor(random() * bound);
  const seen: BftMessage<P, R>[] = [];
  return async (message, { isOwn }) => {
    remember(seen, message);
    if (dice(3) === 0 || known.has(nameOf(message))) return [message];
    const open = { message, items: decodeRlp(message.bytes) };
    const { kind, code } = message;
    const tools: MessageChangeParts = { ...parts, dice, seal: await sealOf(sign), seen };
    const items = pick(changes, dice)(open, tools);
    if (items === open.items) return [message];
    const isSignatureRight = isSignedPartKept(open, items, wire);
    if (!isSignatureRight && !isOwn) return [message];
    const signed = isSignatureRight ? items : await signAgain(wire, { kind, code, items }, sign);
    const changed = { code, bytes: encodeRlp(signed) };
    known.add(nameOf(changed));
    return dice(2) === 0 ? [changed] : [changed, message];
  };
}

/** Lies of a liar that has `seen` what it sent and relayed. */
function createSentLies<P extends Proposal, R extends RoundChange>(
  parts: LiarParts<P, R>,
  seen: readonly BftMessage<P, R>[],
): Readonly<Record<string, Lie<P, R>>> {
  const { dialect, sign, random } = parts;
  const dice = (bound: number) => Math.floor(random() * bound);
  const randomHash = (): Hash => toHex(Uint8Array.from({ length: 32 }, () => dice(256)));
  const withBlock = async (message: P, change: (block: Block) => Block) =>
    dialect.createProposal(message, change(message.block), [], sign);
  /** The nodes from which some messages are withheld, one bit for each. */
  const kept = dice(256);
  const withhold =
    (kind: BftMessage["kind"]): Lie<P, R> =>
    async (message, { recipient }) =>
      message.kind === kind && ((kept >> recipient) & 1) === 1 ? [] : [message];
  return {
    silent: async () => [],
    "withholds proposals": withhold("proposal"),
    "withholds prepares": withhold("prepare"),
    "withholds commits": withhold("commit"),
    async equivocates(message, { recipient }) {
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
      const content = { digest: randomHash(), seal: await sealOf(sign) };
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
      const seal = await sealOf(sign);
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
      const uncles = ({ header }: Block) => Array.from({ length: OVERSIZE }, () => header);
      return [
        await withBlock(message, (block) => ({
          ...block,
          body: { ...block.body, uncles: uncles(block) },
        })),
      ];
    },
    async "claims nothing"(message) {
      if (message.kind !== "round-change" || dice(2) === 0) return [message];
      return [await dialect.createRoundChange(message, undefined, sign)];
    },
    async "gives up early"(message) {
      if (message.kind !== "commit") return [message];
      const certificate = findCertificate(seen, message, dialect.proposerPrepares);
      if (certificate === undefined) return [message];
      const id = { height: message.height, round: message.round + 1 };
      const prepared = { ...certificate, block: certificate.proposal.block };
      return [message, await dialect.createRoundChange(id, prepared, sign)];
    },
    async replays(message) {
      return [message, pick(seen, dice), pick(seen, dice)];
    },
  };
}

/** The proof that the block of a commit was prepared, as far as it was seen. */
export function findCertificate<P extends Proposal, R extends RoundChange>(
  seen: readonly BftMessage<P, R>[],
  { height, round, digest }: Pick<Commit, "height" | "round" | "digest">,
  proposerPrepares: boolean,
): Certificate<P> | undefined {
  const isMeant = (each: BftMessage<P, R>) =>
    each.kind !== "round-change" &&
    each.height === height &&
    each.round === round &&
    each.digest === digest;
  const proposal = seen.find((each): each is P => each.kind === "proposal" && isMeant(each));
  const prepares = seen.filter(
    (each): each is Prepare =>
      each.kind === "prepare" &&
      isMeant(each) &&
      (proposerPrepares || each.author !== proposal?.author),
  );
  const byAuthor = new Map(prepares.map((prepare) => [prepare.author, prepare]));
  return proposal && { proposal, prepares: [...byAuthor.values()] };
}

/** A seal of the liar for no block at all. */
async function sealOf(sign: Sign): Promise<Uint8Array> {
  const { r, s, recovery } = await sign(`0x${"5e".repeat(32)}`);
  return Uint8Array.of(...r, ...s, recovery);
}

function nameOf({ bytes }: WireMessage): string {
  return Buffer.from(bytes).toString("latin1");
}

function remember<M>(seen: M[], message: M): void {
  seen.push(message);
  if (seen.length > MAX_SEEN) seen.shift();
}

function withHeader({ header, body }: Block, changes: Partial<Block["header"]>): Block {
  return { header: { ...header, ...changes }, body };
}
