import {
  type BftMessage,
  BlockForm,
  type Dialect,
  type Effect,
  Height,
  type HeightParts,
  verifyRule,
} from "@plinth/kit-bft";
import {
  createDialect,
  type QbftProposal,
  type QbftRoundChange,
  qbftExtraData,
} from "@plinth/plugin-consensus-qbft/api";

type Message = BftMessage<QbftProposal, QbftRoundChange>;
type Effects = readonly Effect<QbftProposal, QbftRoundChange>[];

const form = new BlockForm(qbftExtraData);
const zero = createDialect("zero");

/**
 * QBFT with the rule of Besu 24.9.1: a block is proposed again only if it has the round in which it
 * was prepared.
 */
const dialect: Dialect<QbftProposal, QbftRoundChange> = {
  ...zero,
  isAccepted: () => true,
  async verifyProposal(proposal, facts, verifyBlock) {
    await zero.verifyProposal(proposal, facts, verifyBlock);
    const claims = proposal.roundChanges.flatMap(({ prepared }) => prepared ?? []);
    const highest = claims.sort((a, b) => b.round - a.round)[0];
    if (highest === undefined) return;
    verifyRule(
      form.sealHashOf(proposal.block.header, highest.round) === highest.digest,
      "prepared-digest",
      "Latest Prepared Metadata blockhash does not align with proposed block",
    );
  },
};

/**
 * A validator that behaves like Besu 24.9.1: it forgets past rounds, and follows others only if
 * they are a quorum.
 */
export class BesuHeight {
  readonly #height: Height<QbftProposal, QbftRoundChange>;
  readonly #quorum: number;
  readonly #roundChanges = new Map<number, Message[]>();

  constructor(parts: Omit<HeightParts<QbftProposal, QbftRoundChange>, "dialect">) {
    this.#height = new Height({ ...parts, dialect });
    this.#quorum = parts.facts.quorum;
  }

  get round(): number | undefined {
    return this.#height.round;
  }

  start(): Promise<Effects> {
    return this.#height.start();
  }

  periodPassed(): Promise<Effects> {
    return this.#height.periodPassed();
  }

  async roundExpired(round: number): Promise<Effects> {
    const effects = await this.#height.roundExpired(round);
    const held = this.#roundChanges.get(this.round ?? 0) ?? [];
    return [...effects, ...(await this.#receivedAll(held))];
  }

  async received(message: Message): Promise<Effects> {
    if (message.round < (this.round ?? 0)) return [];
    if (message.kind !== "round-change" || message.round === this.round) {
      return this.#height.received(message);
    }
    return this.#hold(message);
  }

  /** Round changes to a later round are processed once there is a quorum of them. */
  async #hold(message: Message): Promise<Effects> {
    const held = [...(this.#roundChanges.get(message.round) ?? []), message];
    this.#roundChanges.set(message.round, held);
    return held.length < this.#quorum ? [] : this.#receivedAll(held);
  }

  async #receivedAll(messages: readonly Message[]): Promise<Effects> {
    const effects: Effects[number][] = [];
    for (const message of messages) effects.push(...(await this.#height.received(message)));
    return effects;
  }
}
