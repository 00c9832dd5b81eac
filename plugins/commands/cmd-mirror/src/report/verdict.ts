/** What a mirror has found. */
export interface Verdict {
  readonly blocks: number;
  readonly transactions: number;
  readonly differences: number;
  /** Number of blocks with differences. */
  readonly differingBlocks: number;
  /** The executed blocks; `undefined` if there are none. */
  readonly first?: bigint;
  readonly last?: bigint;
  readonly firstDifference?: bigint;
  /** Why later blocks could not be executed. */
  readonly obstacle?: { readonly block: bigint; readonly reason: string };
  /** How the node of the network has failed. */
  readonly failure?: string;
}

/** Exit codes besides those of every command. */
export const SAME = 0;
export const DIFFERENT = 3;
export const REMOTE_FAILED = 4;

/** The exit code: a difference counts even if the node failed afterwards. */
export function exitCodeOf({ differences, failure }: Verdict): number {
  if (differences > 0) return DIFFERENT;
  return failure === undefined ? SAME : REMOTE_FAILED;
}
