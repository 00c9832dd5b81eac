import { method, RpcError, t, toQuantity } from "@plinth/core";
import type { DevFork } from "@plinth/plugin-dev-fork/api";
import type { DevHolder } from "../dev.js";
import type { Snapshots } from "../snapshots.js";

const NAMES_FORK = t.optional(
  t.object({
    jsonRpcUrl: t.optional(t.text),
    blockNumber: t.optional(t.blockNumber),
  }),
);

/** `hardhat_reset`: resets the chain to its first block, or to that of its fork. */
export const reset = (holder: DevHolder, snapshots: Snapshots) =>
  method({
    summary:
      "Resets the chain to its first block, or to the block of its fork; drops pending transactions and all snapshots. Forking another block than the one of --fork-url is rejected.",
    params: { options: t.optional(t.json) },
    result: t.boolean,
    example: { params: [], result: true },
    async handle({ options }) {
      const { current } = holder;
      verifyFork(options, current.fork);
      await snapshots.reset(current);
      return true;
    },
  });

/** Throws unless the caller requests no fork, or the one that this chain is; nothing has changed by then. */
export function verifyFork(options: unknown, fork: DevFork | undefined): void {
  const { forking, ...own } = Object(options);
  const wanted = NAMES_FORK.decode(forking ?? (own.jsonRpcUrl === undefined ? undefined : own));
  if (wanted === undefined) return;
  if (fork === undefined) {
    throw refused(
      "this chain is not a fork",
      "plinth dev --fork-url=<URL> --fresh starts one; hardhat_reset without forking resets to block 0",
    );
  }
  const { source, block } = fork;
  const { jsonRpcUrl, blockNumber = block.number } = wanted;
  if (jsonRpcUrl !== undefined && originOf(jsonRpcUrl) !== source) {
    throw refused(
      `this chain is a fork of ${source}`,
      "plinth dev --fork-url=<URL> --fresh forks another node",
    );
  }
  if (blockNumber !== block.number) {
    throw refused(
      `this chain is a fork of ${source} at block ${block.number} (${toQuantity(block.number)})`,
      "plinth dev --fork-block-number=<INTEGER> --fresh forks another block",
    );
  }
}

function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}

function refused(reason: string, instead: string): RpcError {
  return RpcError.invalidParams(`forking: ${reason}; nothing was changed. ${instead}`);
}
