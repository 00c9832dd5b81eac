import { type Address, type Hash, type SealedHeader, t } from "@plinth/core";
import { AuthorityHistory, type Proposal } from "@plinth/kit-poa";
import { describe, expect, it } from "vitest";
import { BftExtraDataCodec } from "../blocks/extra-data.js";
import { ConfigAt } from "../genesis/config-at.js";
import { bftSettings, bftTransition } from "../genesis/settings.js";
import { voteRules } from "./voted-validators.js";

const [A, B, C, D] = ["aa", "bb", "cc", "dd"].map(
  (byte) => `0x${byte.repeat(20)}`,
) as unknown as readonly [Address, Address, Address, Address];
const codec = new BftExtraDataCodec({
  type: "TEST",
  engine: "test",
  title: "Test",
  noVote: [],
  dropVote: new Uint8Array(),
  roundToRlp: () => new Uint8Array(),
  roundFromBytes: () => 0,
  allowsMore: false,
  sealed: (items) => items,
  hashed: (items) => items,
});

interface Step {
  readonly voter: Address;
  readonly vote?: Proposal;
  /** The list of the block; only epoch blocks are read. */
  readonly lists?: readonly Address[];
}

describe("validators by votes", () => {
  it("join with more than half of the votes, for the next block", () => {
    const add: Proposal = { candidate: D, kind: "add" };

    expect(after([{ voter: A, vote: add }])).toEqual([A, B, C]);
    expect(
      after([
        { voter: A, vote: add },
        { voter: B, vote: add },
      ]),
    ).toEqual([A, B, C, D]);
    expect(
      after([
        { voter: A, vote: add },
        { voter: A, vote: add },
      ]),
    ).toEqual([A, B, C]);
  });

  it("leave likewise, and their votes with them", () => {
    const drop: Proposal = { candidate: C, kind: "drop" };
    const add: Proposal = { candidate: D, kind: "add" };
    const steps = [
      { voter: C, vote: add },
      { voter: A, vote: drop },
      { voter: B, vote: drop },
      { voter: A, vote: add },
    ];

    expect(after(steps)).toEqual([A, B]);
  });

  it("are those listed by an epoch block; its vote and all before it are void", () => {
    const add: Proposal = { candidate: D, kind: "add" };
    const steps = [
      { voter: A, vote: add },
      { voter: B, vote: add, lists: [A, B, C] },
      { voter: B, vote: add },
    ];

    expect(after(steps, { epochLength: 2 })).toEqual([A, B, C]);
  });

  it("are replaced by a transition; the vote of the block before it still counts", () => {
    const transitions = [{ block: 2, validators: [B] }];
    const drop: Proposal = { candidate: B, kind: "drop" };

    expect(after([{ voter: A }], { transitions })).toEqual([B]);
    expect(after([{ voter: A, vote: drop }], { transitions })).toEqual([]);
    expect(after([{ voter: A }, { voter: B }], { transitions })).toEqual([B]);
  });
});

/** The validators after blocks with these votes, on a chain that starts with A, B and C. */
function after(
  steps: readonly Step[],
  {
    epochLength = 30_000,
    transitions = [],
  }: { epochLength?: number; transitions?: readonly object[] } = {},
): readonly Address[] {
  const config = new ConfigAt(
    t.object(bftSettings).decode({}),
    transitions.map((json) => t.object(bftTransition).decode(json)),
    { activations: [], at: () => "london", isActive: () => false },
  );
  const history = new AuthorityHistory(voteRules({ codec, epochLength, config }));
  const headers = new Map<Hash, SealedHeader>();
  let head = headerOf({ voter: A, lists: [A, B, C] }, 0n, "0x");
  headers.set(head.hash, head);
  for (const step of steps) {
    head = headerOf(step, head.number + 1n, head.hash);
    headers.set(head.hash, head);
  }
  return history.after(head, { findHeader: (hash) => headers.get(hash) }).members;
}

function headerOf(
  { voter, vote, lists = [] }: Step,
  number: bigint,
  parentHash: Hash,
): SealedHeader {
  const extraData = codec.encode({
    vanity: new Uint8Array(32),
    validators: lists,
    vote,
    round: 0,
    seals: [],
  });
  return { number, parentHash, coinbase: voter, extraData, hash: `0x${number}` } as SealedHeader;
}
