import type { BlockReader, Clock, SealedHeader } from "@plinth/core";
import type { BlockWriter } from "@plinth/core/chain";
import {
  findRemoteBlock,
  type Remote,
  type RemoteBlock,
  RemoteInconsistent,
} from "@plinth/plugin-dev-fork/api";
import type { Rehearsal } from "./rehearsal/rehearsal.js";
import { readAhead } from "./remote/block-feed.js";
import type { NetworkBlock, RemoteBlocks } from "./remote/remote-blocks.js";
import type { Report } from "./report/report.js";

/** When a mirror ends. */
export interface Limits {
  /** A number of blocks. */
  readonly blocks: number | undefined;
  /** A block, or the head of the network at the start. */
  readonly until: bigint | "head" | undefined;
  readonly stopsAtFirst: boolean;
}

/** The inputs of a mirror. */
export interface FollowSettings {
  readonly remote: Remote;
  readonly remoteBlocks: RemoteBlocks;
  readonly blocks: BlockReader & BlockWriter;
  readonly rehearsal: Rehearsal;
  readonly report: Report;
  readonly limits: Limits;
  readonly clock: Pick<Clock, "sleep">;
  readonly signal: AbortSignal;
}

const POLL_MS = 1000;
/** How often a node may deliver nothing although it claims to have later blocks. */
const MAX_EMPTY_POLLS = 30;

/** Follows the chain of a node from the head of this chain on, until a limit or the signal ends it. */
export async function follow(settings: FollowSettings): Promise<void> {
  const { remote, blocks, limits, report, clock, signal } = settings;
  let target = await getHead(remote, signal);
  const until = limits.until === "head" ? target.number : limits.until;
  let emptyPolls = 0;
  for (;;) {
    report.target(target.number);
    const parent = blocks.head();
    if (isDone(report.blocks, parent, { ...limits, until })) return;
    const last = lastOf(target.number, { until, parent, left: left(limits, report) });
    const result = await execute(settings, { parent, last });
    if (result === "ended") return;
    if (result === "nothing" && !(await followReorganization(settings, target))) {
      emptyPolls = target.number > parent.number ? emptyPolls + 1 : 0;
      if (emptyPolls > MAX_EMPTY_POLLS) {
        const problem = `its latest block is ${target.number}, but it does not deliver block ${parent.number + 1n}`;
        throw new RemoteInconsistent(remote.name, problem);
      }
      await clock.sleep(POLL_MS, signal);
    } else emptyPolls = 0;
    target = await getHead(remote, signal);
  }
}

function left({ blocks }: Limits, report: Report): number {
  return blocks === undefined ? Number.POSITIVE_INFINITY : blocks - report.blocks;
}

function isDone(
  count: number,
  head: SealedHeader,
  { blocks, until }: { readonly blocks: number | undefined; readonly until: bigint | undefined },
): boolean {
  return (blocks !== undefined && count >= blocks) || (until !== undefined && head.number >= until);
}

function lastOf(
  head: bigint,
  {
    until = head,
    parent,
    left: count,
  }: { readonly until: bigint | undefined; readonly parent: SealedHeader; readonly left: number },
): bigint {
  const wanted = until < head ? until : head;
  if (!Number.isFinite(count)) return wanted;
  const limit = parent.number + BigInt(count);
  return limit < wanted ? limit : wanted;
}

async function execute(
  { remoteBlocks, rehearsal, report, limits, signal }: FollowSettings,
  range: { readonly parent: SealedHeader; readonly last: bigint },
): Promise<"ended" | "executed" | "nothing"> {
  let executed: NetworkBlock | undefined;
  for await (const next of readAhead(remoteBlocks, range)) {
    signal.throwIfAborted();
    executed = next;
    const { differences, obstacle } = await rehearsal.run(next);
    await report.executed(next.block, differences);
    if (obstacle !== undefined) {
      await report.obstacle(next.block.header.number, obstacle);
      return "ended";
    }
    if (limits.stopsAtFirst && differences.length > 0) return "ended";
  }
  return executed === undefined ? "nothing" : "executed";
}

/** Makes the last block that both chains have the head; whether the network has replaced blocks. */
async function followReorganization(
  { remote, blocks, report, signal }: FollowSettings,
  target: RemoteBlock,
): Promise<boolean> {
  const head = blocks.head();
  let { number } = target.number < head.number ? target : head;
  for (; number >= 0n; number--) {
    const ours = blocks.findHeader(number);
    if (ours === undefined) break;
    const theirs = await findRemoteBlock(remote, number, signal);
    if (theirs === undefined) return false;
    if (theirs.hash !== ours.hash) continue;
    // A node that is behind has replaced nothing.
    if (number === head.number || number === target.number) return false;
    await rewind(number, { remote, blocks, report });
    return true;
  }
  throw new RemoteInconsistent(
    remote.name,
    `it has replaced block ${number + 1n}, with which this chain begins: another --data-path begins again`,
  );
}

async function rewind(
  number: bigint,
  { remote, blocks, report }: Pick<FollowSettings, "remote" | "blocks" | "report">,
): Promise<void> {
  if (blocks.finality === "instant") {
    const problem = `it has replaced block ${number + 1n}, although the blocks of this network are final`;
    throw new RemoteInconsistent(remote.name, problem);
  }
  const ancestor = blocks.findHeader(number);
  if (ancestor === undefined) return;
  await report.reorganized(ancestor, blocks.head());
  await blocks.setHead(ancestor.hash);
}

async function getHead(remote: Remote, signal: AbortSignal): Promise<RemoteBlock> {
  const head = await findRemoteBlock(remote, undefined, signal);
  if (head !== undefined) return head;
  throw new RemoteInconsistent(remote.name, "it has no latest block");
}
