import { toNumber } from "./format.js";
import { attempt, call } from "./rpc.js";

/** A consensus engine whose authors are known: how its methods are named. */
export interface Engine {
  readonly title: string;
  readonly authors: "validators" | "signers";
  readonly list: string;
  readonly votes: string;
  readonly propose: string;
  readonly discard: string;
  readonly metrics: string;
  /** Returns the votes of all signers. */
  readonly snapshot?: string;
}

/** How many blocks an author has proposed. */
export interface AuthorMetrics {
  readonly address: string;
  readonly proposedBlockCount: string;
  readonly lastProposedBlockNumber: string;
}

const ENGINES: readonly Engine[] = [
  {
    title: "QBFT",
    authors: "validators",
    list: "qbft_getValidatorsByBlockNumber",
    votes: "qbft_getPendingVotes",
    propose: "qbft_proposeValidatorVote",
    discard: "qbft_discardValidatorVote",
    metrics: "qbft_getSignerMetrics",
  },
  {
    title: "IBFT 2.0",
    authors: "validators",
    list: "ibft_getValidatorsByBlockNumber",
    votes: "ibft_getPendingVotes",
    propose: "ibft_proposeValidatorVote",
    discard: "ibft_discardValidatorVote",
    metrics: "ibft_getSignerMetrics",
  },
  {
    title: "Clique",
    authors: "signers",
    list: "clique_getSigners",
    votes: "clique_proposals",
    propose: "clique_propose",
    discard: "clique_discard",
    metrics: "clique_getSignerMetrics",
    snapshot: "clique_getSnapshot",
  },
];

/** The engine of the chain with its authors; `undefined` if it has none, or none that may be read. */
export async function findEngine(): Promise<
  { readonly engine: Engine; readonly authors: readonly string[] } | undefined
> {
  const found = await Promise.all(
    ENGINES.map(async (engine) => {
      const authors = await attempt<readonly string[] | null>(engine.list, ["latest"]);
      return authors === undefined || authors === null ? [] : [{ engine, authors }];
    }),
  );
  return found.flat()[0];
}

/** A vote that counts on the chain until its epoch ends. */
export interface StandingVote {
  readonly signer: string;
  readonly address: string;
  readonly authorize: boolean;
  readonly block: number;
}

/** The votes of all signers that stand; `undefined` if the engine does not report them. */
export async function readStandingVotes({
  snapshot,
}: Engine): Promise<readonly StandingVote[] | undefined> {
  if (snapshot === undefined) return undefined;
  const found = await attempt<{ readonly votes: readonly StandingVote[] }>(snapshot, ["latest"]);
  return found?.votes;
}

/** The errors of the engines' methods, for a page without one. */
export async function engineProblem(): Promise<unknown> {
  try {
    await call(ENGINES[0]?.list ?? "", ["latest"]);
    return undefined;
  } catch (error) {
    return error;
  }
}

/** What the authors have proposed in a range of blocks, by address. */
export async function readMetrics(
  engine: Engine,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<ReadonlyMap<string, { readonly count: number; readonly last: number }>> {
  const metrics = await attempt<readonly AuthorMetrics[]>(engine.metrics, [from, to]);
  return new Map(
    metrics?.map(({ address, proposedBlockCount, lastProposedBlockNumber }) => [
      address.toLowerCase(),
      { count: toNumber(proposedBlockCount), last: toNumber(lastProposedBlockNumber) },
    ]),
  );
}
