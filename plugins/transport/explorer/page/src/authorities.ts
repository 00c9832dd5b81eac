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
  /** Returns the votes of all of them. */
  readonly standing: string;
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
    standing: "qbft_getStandingVotes",
  },
  {
    title: "IBFT 2.0",
    authors: "validators",
    list: "ibft_getValidatorsByBlockNumber",
    votes: "ibft_getPendingVotes",
    propose: "ibft_proposeValidatorVote",
    discard: "ibft_discardValidatorVote",
    metrics: "ibft_getSignerMetrics",
    standing: "ibft_getStandingVotes",
  },
  {
    title: "Clique",
    authors: "signers",
    list: "clique_getSigners",
    votes: "clique_proposals",
    propose: "clique_propose",
    discard: "clique_discard",
    metrics: "clique_getSignerMetrics",
    standing: "clique_getSnapshot",
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

/** A vote that is counted until it has a majority or its epoch ends. */
export interface StandingVote {
  readonly voter: string;
  readonly address: string;
  readonly isFor: boolean;
  readonly block: number;
}

/** As the methods return it: BFT engines name the validator, Clique the signer. */
interface ReturnedVote {
  readonly validator?: string;
  readonly signer?: string;
  readonly address: string;
  readonly isFor?: boolean;
  readonly authorize?: boolean;
  readonly block: string | number;
}

/** The votes of all authors that stand; `undefined` if a contract replaces votes. */
export async function readStandingVotes({
  standing,
}: Engine): Promise<readonly StandingVote[] | undefined> {
  const found = await attempt<{ readonly votes: readonly ReturnedVote[] }>(standing);
  return found?.votes.map(({ validator, signer, address, isFor, authorize, block }) => ({
    voter: validator ?? signer ?? "",
    address,
    isFor: isFor ?? authorize ?? false,
    block: toNumber(block),
  }));
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
